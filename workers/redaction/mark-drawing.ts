// Draws the replacement of removed content: a fill with text over it, as the marks specify (ISO 32000-2, table 195).
import type { PDFObject } from 'mupdf'
import { aliasOf } from '../annotations/drawing/alias.js'
import { boundsOf } from '../annotations/drawing/geometry.js'
import { Sheet } from '../annotations/drawing/sheet.js'
import type { Change } from '../change/change.js'
import { type Drawing, drawOnPage } from '../content/page-content.js'
import type { PdfRect } from '../contract/pdf-rect.js'
import type { TextAlign } from '../contract/text-align.js'
import { rectangleOf } from '../objects/rectangles.js'
import { entry, isStream, nameOf } from '../objects/values.js'
import { fillColor, numbers } from '../text/content-operands.js'
import { ascent, descent, leading, multilineSize, wrapped } from '../text/text-lines.js'
import type { Mark } from './marks.js'
import type { Corners } from './region.js'

/** Maximum number of characters of a text that is repeated until the box is full. */
const repeatedMax = 20_000

export function drawOverlays(change: Change, page: PDFObject, marks: readonly Mark[]): void {
  const sheet = new Sheet()
  try {
    const drawings: Drawing[] = []
    for (const mark of marks) {
      const drawing = ownDrawing(mark)
      if (drawing === undefined) for (const corners of mark.parts) drawOverlay(sheet, mark, corners)
      else drawings.push(drawing)
    }
    if (sheet.content.trim() !== '') {
      drawings.unshift({ form: formOf(change, sheet), matrix: [1, 0, 0, 1, 0, 0], layer: undefined })
    }
    if (drawings.length > 0) drawOnPage(change.pdf, page, drawings)
  } finally {
    sheet.destroy()
  }
}

/** Returns the mark's own form, which replaces its colour and text; its origin is the lower left corner. */
function ownDrawing({ found: { object } }: Mark): Drawing | undefined {
  const [form, rect] = [entry(object, 'RO'), rectangleOf(entry(object, 'Rect'))]
  if (rect === undefined || !isStream(form) || nameOf(entry(form, 'Subtype')) !== 'Form') return undefined
  return { form, matrix: [1, 0, 0, 1, rect.left, rect.bottom], layer: undefined }
}

function drawOverlay(sheet: Sheet, { look }: Mark, corners: Corners): void {
  const box = boundsOf(corners)
  if (box === undefined) return
  sheet.cover(corners)
  const { interiorColor, overlayText } = look
  if (interiorColor !== null) {
    sheet.inside(fillColor(interiorColor), () => {
      sheet.lines(corners)
      sheet.add('h f')
    })
  }
  if (overlayText !== null && overlayText.trim() !== '') drawWords(sheet, look, box)
}

const starts: Readonly<Record<TextAlign, number>> = { left: 0, center: 0.5, right: 1 }

function drawWords(sheet: Sheet, look: Mark['look'], box: PdfRect): void {
  const textLayout = sheet.textLayout(aliasOf(look.fontFamily))
  const measure = (text: string): number => textLayout.widthOf(text)
  const [width, height] = [box.right - box.left, box.top - box.bottom]
  const words = (look.overlayText ?? '').slice(0, repeatedMax)
  const size = look.fontSize > 0 ? look.fontSize : Math.min(multilineSize(words, { width, height }, measure), height)
  const rows = Math.max(1, Math.floor(height / (leading * size)))
  const lines = wrapped(look.repeat ? repeated(words, (rows * width) / size, measure) : words, width / size, measure)
  sheet.inside(`${numbers(box.left, box.bottom, width, height)} re W n ${fillColor(look.fontColor)}`, () => {
    lines.slice(0, rows).forEach((line, row) => {
      const x = box.left + Math.max(0, width - measure(line) * size) * starts[look.textAlign]
      const y = box.top - row * leading * size - ((leading - ascent - descent) / 2 + ascent) * size
      if (line !== '') sheet.add('BT', `1 0 0 1 ${numbers(x, y)} Tm`, textLayout.show(line, size), 'ET')
    })
  })
}

function repeated(words: string, em: number, measure: (text: string) => number): string {
  const once = measure(`${words} `)
  const times = once > 0 ? Math.ceil(em / once) + 1 : 1
  return Array.from({ length: Math.max(1, Math.min(times, repeatedMax / words.length)) }, () => words).join(' ')
}

function formOf({ pdf }: Change, sheet: Sheet): PDFObject {
  const { left, bottom, right, top } = sheet.bounds
  const form = pdf.addStream(sheet.content, {})
  form.put('Type', pdf.newName('XObject'))
  form.put('Subtype', pdf.newName('Form'))
  form.put('BBox', [left, bottom, right, top])
  form.put('Resources', sheet.resources(pdf))
  return form
}
