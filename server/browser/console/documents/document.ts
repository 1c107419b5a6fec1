// Documents as the server describes them, and what people call them.
import type { Static } from 'typebox'
import type { Document } from '../../../schemas/document.js'

export type DocumentRecord = Static<typeof Document>

/** Name of the file; the id where none was given. */
export function nameOf({ id, metadata }: DocumentRecord): string {
  const { fileName } = metadata ?? {}
  return typeof fileName === 'string' && fileName.trim() !== '' ? fileName : id
}
