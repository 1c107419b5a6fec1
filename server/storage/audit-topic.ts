// Bus topic for new audit rows of a document.

/** Returns the topic. `document`: internal id of the document. */
export const auditTopic = (document: string): string => `audit:${document}`
