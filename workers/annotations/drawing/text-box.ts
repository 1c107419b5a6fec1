// Draws text on the page: its background and border, the text with its styles, and the callout line.

import type { FreeTextAnnotation } from '../../contract/annotations/free-text.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import type { RunStyle } from '../../contract/rich-text.js'
import type { VerticalAlign } from '../../contract/text-align.js'
import type { PageSpace } from '../../document/page-space.js'
import { fillColor, number, numbers } from '../../text/content-operands.js'
import { standardFontOf } from '../../text/fonts.js'
import type { Flow } from '../../text/shaping/direction.js'
import { ascent, descent } from '../../text/text-lines.js'
import { aliasOf } from './alias.js'
import { cloudReach, drawCloud } from './cloud.js'
import { drawEnding } from './endings.js'
import { cornersOf, direction, middleOf, outset } from './geometry.js'
import { penOf } from './pen.js'
import type { Sheet } from './sheet.js'
import { type Line, type PieceStyle, type StyledParagraph, styledLines } from './styled-lines.js'

/** Padding between border and text in points. */
const padding = 2
/** Maximum number of drawn characters; no page shows more. */
const drawnCharactersMax = 20_000
const noMargins = { top: 0, bottom: 0, left: 0, right: 0 } as const

/** Fraction of the remaining height that is placed above the text. */
const shares: Readonly<Record<VerticalAlign, number>> = { top: 0, middle: 0.5, bottom: 1 }

export function drawTextBox(sheet: Sheet, annotation: FreeTextAnnotation, space: PageSpace): void {
  const box = space.toUserRect(annotation.box)
  drawCallout(sheet, annotation, space)
  sheet.turned(middleOf(box), annotation.rotation, () => {
    sheet.cover(cornersOf(box))
    drawFrame(sheet, annotation, box)
    const inset = Math.min(annotation.strokeWidth + padding, annotation.box.width / 2, annotation.box.height / 2)
    drawText(sheet, annotation, outset(box, -inset))
  })
}

function drawFrame(sheet: Sheet, annotation: FreeTextAnnotation, box: PdfRect): void {
  const {
    strokeWidth,
    cloudyIntensity,
    box: { width, height },
  } = annotation
  sheet.inside('', () => {
    const paint = sheet.pen(penOf(annotation), true)
    if (paint === undefined) return
    if (cloudyIntensity === null) sheet.rectangle(outset(box, -Math.min(strokeWidth / 2, width / 2, height / 2)))
    else {
      sheet.cover(cornersOf(box), cloudReach(cloudyIntensity) + strokeWidth / 2)
      sheet.add('1 j')
      drawCloud(sheet, cornersOf(box), cloudyIntensity)
    }
    sheet.add(paint)
  })
}

/**
 * Draws the line from the point the text refers to, possibly via a knee, to the text; it does not rotate with the
 * box.
 */
function drawCallout(sheet: Sheet, annotation: FreeTextAnnotation, space: PageSpace): void {
  const points = (annotation.calloutLine ?? []).map((point) => space.toUserPoint(point))
  const [tip, next] = points
  const strokeWidth = annotation.strokeWidth > 0 ? annotation.strokeWidth : 1
  if (tip === undefined || next === undefined) return
  sheet.inside('', () => {
    const pen = { ...penOf(annotation), strokeWidth }
    sheet.cover(points, strokeWidth / 2)
    sheet.pen(pen, false)
    sheet.lines(points)
    sheet.add('S')
    const end = { tip, inwards: direction(tip, next), strokeWidth, isFilled: pen.interiorColor !== null }
    drawEnding(sheet, annotation.lineEnding ?? 'none', end)
  })
}

function drawText(sheet: Sheet, annotation: FreeTextAnnotation, room: PdfRect): void {
  const widthOf = (text: string, { fontName, size }: PieceStyle, flow?: Flow): number =>
    sheet.textLayout(fontName).widthOf(text, flow) * size
  const paragraphs = paragraphsOf(annotation)
  if (paragraphs.every(({ runs }) => runs.every(({ text }) => text === ''))) return
  const lines = styledLines(paragraphs, room.right - room.left, widthOf)
  const height = lines.reduce((sum, line) => sum + line.above + line.height, 0)
  const spare = Math.max(0, room.top - room.bottom - height)
  let top = room.top - spare * shares[annotation.verticalAlign]
  // Marks on letters of the first line may extend beyond the area.
  const { left, bottom, right, top: upper } = outset(room, padding)
  sheet.inside(`${numbers(left, bottom, right - left, upper - bottom)} re W n`, () => {
    for (const line of lines) {
      top -= line.above
      if (top < room.bottom) break
      drawLine(sheet, line, room.left, top - (line.height - (ascent + descent) * line.size) / 2 - ascent * line.size)
      top -= line.height
    }
  })
}

function drawLine(sheet: Sheet, { pieces, left, stretch }: Line, edge: number, baseline: number): void {
  let x = edge + left
  for (const { text, style, width, flow } of pieces) {
    const isBlank = text.trim() === ''
    const advance = width + (isBlank ? stretch : 0)
    const { fontName, size, color } = style
    if (!isBlank) {
      const words = sheet.textLayout(fontName).show(text, size, flow)
      sheet.add('BT', fillColor(color), `1 0 0 1 ${numbers(x, baseline)} Tm`, words, 'ET')
    }
    const rules = [style.underline ? -0.12 : undefined, style.strikethrough ? 0.25 : undefined]
    for (const rule of rules) {
      if (rule === undefined) continue
      sheet.add(fillColor(color), `${numbers(x, baseline + rule * size, advance)} ${number(size / 16)} re f`)
    }
    x += advance
  }
}

function paragraphsOf(annotation: FreeTextAnnotation): readonly StyledParagraph[] {
  const { richText, contents, textAlign } = annotation
  if (richText === null) {
    const text = (contents ?? '').slice(0, drawnCharactersMax).normalize('NFC')
    const style = plainStyle(annotation)
    return [{ align: textAlign, lineHeight: undefined, margins: noMargins, textIndent: 0, runs: [{ text, style }] }]
  }
  const { body, paragraphs } = richText
  let left = drawnCharactersMax
  return paragraphs.map((paragraph) => ({
    align: paragraph.align,
    lineHeight: paragraph.lineHeight ?? body.lineHeight,
    margins: paragraph.margins ?? body.margins ?? noMargins,
    textIndent: paragraph.textIndent ?? body.textIndent ?? 0,
    runs: withStyle(paragraph.runs, body).map(({ text, style }) => {
      const shown = text.slice(0, left).normalize('NFC')
      left -= shown.length
      return { text: shown, style }
    }),
  }))
}

/** Gives a paragraph without text the height of a line. */
const withStyle = (runs: readonly { readonly text: string; readonly style?: Partial<RunStyle> }[], body: RunStyle) =>
  (runs.length === 0 ? [{ text: '', style: {} }] : runs).map(({ text, style }) => ({
    text,
    style: pieceStyle({ ...body, ...style }),
  }))

const plainStyle = ({ fontFamily, fontSize, fontColor }: FreeTextAnnotation): PieceStyle => ({
  fontName: aliasOf(fontFamily),
  size: fontSize,
  color: fontColor,
  underline: false,
  strikethrough: false,
})

function pieceStyle({ fontFamily, fontSize, color, bold, italic, underline, strikethrough }: RunStyle): PieceStyle {
  const family = standardFontOf(fontFamily) ?? 'helvetica'
  const font = standardFontOf(`${family}${bold ? ' bold' : ''}${italic ? ' italic' : ''}`) ?? family
  return { fontName: aliasOf(font), size: fontSize || 12, color, underline, strikethrough }
}
