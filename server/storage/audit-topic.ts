// Bus topic for new audit rows of a document.

/** `document`: internal id of the document. */
export const auditTopic = (document: string): string => `audit:${document}`
