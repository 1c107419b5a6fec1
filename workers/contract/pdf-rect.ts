// Schema of a rectangle in PDF user space, y up. Only `PageLayout.pdfCropBox` uses it, for converting between the two
// spaces.
import { type Static, Type } from 'typebox'

export const PdfRect = Type.Object({
  left: Type.Number(),
  bottom: Type.Number(),
  right: Type.Number(),
  top: Type.Number(),
})
export type PdfRect = Static<typeof PdfRect>
