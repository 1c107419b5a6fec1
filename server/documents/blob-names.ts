// Names of the blobs of a document, unique within the document.

/** The uploaded or imported file, never modified. */
export const uploadBlob = 'upload.pdf'

/** The repaired copy of a damaged file, shared by all layers. */
export const workingBlob = 'working.pdf'
