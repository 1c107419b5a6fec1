// What the bytes of a document are called. The blobs of a document are its own, so the names need not be unique beyond it.

/** What was uploaded or imported, untouched for ever. */
export const uploadBlob = 'upload.pdf'

/** A file that had to be repaired, once, so that every layer reads the same objects. */
export const workingBlob = 'working.pdf'
