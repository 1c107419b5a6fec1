// Names of the blobs of a document, unique within the document.

/** The uploaded or imported file, never modified. */
export const uploadBlob = 'upload.pdf'

/**
 * Returns the name of the file of an asynchronous import. A process that works on for a superseded import must not
 * replace the file of its successor, so every import has a name of its own.
 */
export const importedBlob = (id: string): string => `upload-${id}.pdf`

/** True for the names above: files as they were uploaded or imported. */
export const isUploaded = (name: string): boolean => name === uploadBlob || name.startsWith('upload-')

/** The repaired copy of a damaged file, shared by all layers. */
export const workingBlob = 'working.pdf'

/** Returns the name of the repaired copy made by one attempt of an asynchronous import. */
export const workingBlobOf = (attempt: string): string => `working-${attempt}.pdf`
