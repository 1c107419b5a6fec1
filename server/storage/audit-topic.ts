// Bus topic for new audit rows of a document.

/** `document` is its internal id. */
export const auditTopic = (document: string): string => `audit:${document}`
