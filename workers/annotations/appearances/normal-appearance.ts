// Returns the drawing that an annotation shows on the page (ISO 32000-2, 12.5.5).
import type { PDFObject } from 'mupdf'
import { entry, isStream, nameOf } from '../../objects/values.js'

/** Returns undefined if there is no appearance, or none for the current state. */
export function normalAppearance(annotation: PDFObject): PDFObject | undefined {
  const appearance = entry(annotation, 'AP', 'N')
  if (isStream(appearance)) return appearance
  const state = nameOf(entry(annotation, 'AS'))
  const drawing = state === undefined ? appearance : entry(appearance, state)
  return isStream(drawing) ? drawing : undefined
}
