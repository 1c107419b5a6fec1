// Names of the blobs of a document, unique within the document.

/** The uploaded or imported file, never modified. */
export const uploadBlob = 'upload.pdf'

/**
 * Returns the name of the repaired copy of a damaged file, shared by all layers. It contains the hash: two attempts may
 * write different bytes. Earlier versions of the server named it `working.pdf`.
 */
export const workingBlobOf = ({ sha256 }: { readonly sha256: string }): string => `working-${sha256}.pdf`
