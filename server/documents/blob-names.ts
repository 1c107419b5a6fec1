// Names of the blobs of a document, unique within the document.
import { randomUUID } from 'node:crypto'

/** The uploaded or imported file, never modified. */
export const uploadBlob = 'upload.pdf'

/**
 * Name for a repaired copy of a damaged file, shared by all layers. Each attempt has its own, so that one that was held up
 * cannot replace the file that a row names.
 */
export const newWorkingBlob = (): string => `working-${randomUUID()}.pdf`
