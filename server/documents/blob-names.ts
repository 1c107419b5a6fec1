// Names of the blobs of a document, unique within the document.
import { randomUUID } from 'node:crypto'

/** The uploaded file, never modified. */
export const uploadBlob = 'upload.pdf'

/**
 * Returns the name of an imported file. A process that works on for a superseded import must not replace the file of its
 * successor, so every import has a name of its own.
 */
export const importedBlob = (id: string): string => `upload-${id}.pdf`

/** True for the names above: files as they were uploaded or imported. */
export const isUploaded = (name: string): boolean => name === uploadBlob || name.startsWith('upload-')

/**
 * Returns a name for a repaired copy of a damaged file, shared by all layers. Each attempt has its own, so that one that
 * was held up cannot replace the file that a row names. Earlier versions of the server named it `working.pdf`.
 */
export const newWorkingBlob = (): string => `working-${randomUUID()}.pdf`
