// Draws text on the page: its background and border, the text with its styles, and the callout line.

import type { FreeTextAnnotation } from '../../contract/annotations/free-text.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import type { RunStyle, Script } from '../../contract/rich-text.js'
import type { VerticalAlign } from '../../contract/text-align.js'
import type { PageSpace } from '../../document/page-space.js'
import { fillColor, number, numbers } from '../../text/content-operands.js'
import { fontOfFace } from '../../text/fonts.js'
import type { Flow } from '../../text/shaping/direction.js'
import { ascent, descent } from '../../text/text-lines.js'
import { aliasOf } from './alias.js'
import { cloudReach, drawCloud } from './cloud.js'
import { drawEnding } from './endings.js'
import { cornersOf, direction, middleOf, outset } from './geometry.js'
import { penOf } from './pen.js'
import type { Sheet } from './sheet.js'
import { type Line, type Piece, type PieceStyle, type StyledParagraph, styledLines } from './styled-lines.js'

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
  const widthOf = (text: string, style: PieceStyle, flow?: Flow): number =>
    sheet.textLayout(style.fontName).widthOf(text, flow) * style.size * style.horizontalScale +
    style.letterSpacing * [...text].length
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
  for (const piece of pieces) {
    const { text, style, width } = piece
    const isBlank = text.trim() === ''
    const advance = width + (isBlank ? stretch : 0)
    const { color, size, decoration } = style
    if (!isBlank) sheet.add('BT', fillColor(color), ...shownPiece(sheet, piece, x, baseline), 'ET')
    const hasRule = !(isBlank && decoration.includes('word'))
    const isUnderlined = decoration.includes('underline') || decoration.includes('word')
    const rules = [isUnderlined && -0.12, decoration.includes('line-through') && 0.25]
    for (const rule of hasRule ? rules : []) {
      if (rule === false) continue
      const height = baseline + style.rise + rule * size
      sheet.add(fillColor(color), `${numbers(x, height, advance)} ${number(size / 16)} re f`)
    }
    x += advance
  }
}

/** Returns the operators of a text object that show a piece, and leave the spacing as it was. */
function shownPiece(sheet: Sheet, { text, style, flow }: Piece, x: number, baseline: number): readonly string[] {
  const { fontName, size, rise, letterSpacing, horizontalScale } = style
  const place = `${number(horizontalScale)} 0 0 1 ${numbers(x, baseline + rise)} Tm`
  const words = sheet.textLayout(fontName).show(text, size, flow)
  // The scale of the matrix also applies to the spacing.
  return letterSpacing === 0 ? [place, words] : [place, `${number(letterSpacing / horizontalScale)} Tc`, words, '0 Tc']
}

function paragraphsOf({ richText: { body, paragraphs } }: FreeTextAnnotation): readonly StyledParagraph[] {
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

/** Size of raised and lowered text as a fraction of the size, and its distance from the baseline. */
const scripts: Readonly<Record<Script, { readonly share: number; readonly rise: number }>> = {
  normal: { share: 1, rise: 0 },
  sub: { share: 0.65, rise: -0.15 },
  super: { share: 0.65, rise: 0.35 },
}

function pieceStyle(style: RunStyle): PieceStyle {
  const { color, decoration, letterSpacing, horizontalScale } = style
  const size = style.size || 12
  const { share, rise } = scripts[style.script]
  const fontName = aliasOf(fontOfFace(style))
  return { fontName, size: size * share, rise: size * rise, color, decoration, letterSpacing, horizontalScale }
}
