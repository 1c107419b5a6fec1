// A page of 400 by 600 points with the crop box (20, 30) to (380, 580), so that user space and page space differ; with
// annotations, and further catalog entries such as a form.
import { type RawObjects, rawPdf } from './raw-pdf.js'

export interface AnnotatedPdf {
  /** Entries of each annotation beside its type; they become objects from 10 on. */
  readonly annotations?: readonly string[]
  /** Inline annotations, which precede the others in /Annots. */
  readonly inline?: string
  /** Entries of the page, of the catalog and of the trailer. */
  readonly page?: string
  readonly catalog?: string
  readonly trailer?: string
  readonly further?: RawObjects
}

/** The page is object 3. */
export const pageNumber = 3
export const firstAnnotation = 10
/** Offset of the crop box, in user space: page point (x, y) is user point (20 + x, 580 - y). */
export const cropLeft = 20
export const cropTop = 580

export function annotatedPdf({
  annotations = [],
  inline = '',
  page = '',
  catalog = '',
  trailer = '',
  further = {},
}: AnnotatedPdf): Buffer {
  const numbered = annotations.map((entries, index) => [firstAnnotation + index, `<</Type/Annot${entries}>>`] as const)
  const list = [inline, ...numbered.map(([number]) => `${number} 0 R`)].join(' ')
  return rawPdf(
    {
      1: `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 600]/CropBox[20 30 380 580]/Annots[${list}]${page}>>`,
      ...Object.fromEntries(numbered),
      ...further,
    },
    { trailer },
  )
}
