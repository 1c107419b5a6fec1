// The topic of the bus that tells of new audit rows of a document.

/** `document` is its internal id. */
export const auditTopic = (document: string): string => `audit:${document}`
