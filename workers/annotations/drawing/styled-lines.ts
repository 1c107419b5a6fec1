// Breaks text with styles into lines: words that would exceed the right edge move to the next line, and words wider
// than a line are broken.

import type { Color } from '../../contract/color.js'
import type { Decoration } from '../../contract/rich-text.js'
import type { ParagraphAlign } from '../../contract/text-align.js'
import { clustersOf, isComplex, piecesOf } from '../../text/shaping/complex-text.js'
import { type Direction, type Flow, strongDirectionOf, visualRuns } from '../../text/shaping/direction.js'
import { leading, lineEnd } from '../../text/text-lines.js'

export interface PieceStyle {
  /** Alias of a standard font. */
  readonly fontName: string
  readonly size: number
  readonly color: Color
  readonly decoration: readonly Decoration[]
  /** Distance of raised text from the baseline of its line, in points. */
  readonly rise: number
  /** Points after every character. */
  readonly letterSpacing: number
  /** Width of the letters; 1 = that of the font. */
  readonly horizontalScale: number
}

export interface StyledParagraph {
  readonly align: ParagraphAlign
  readonly lineHeight: number | undefined
  /** Margins in points: before the first line, after the last one, and on both sides of all lines. */
  readonly margins: { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number }
  readonly textIndent: number
  readonly runs: readonly { readonly text: string; readonly style: PieceStyle }[]
}

export interface Piece {
  readonly text: string
  readonly style: PieceStyle
  readonly width: number
  /** Direction and joining of the text; set for a line with both directions, or with joining letters. */
  readonly flow?: Flow
}

export interface Line {
  /** Pieces from left to right. */
  readonly pieces: readonly Piece[]
  /** Distance from the left edge of the available area. */
  readonly left: number
  /** Additional points per blank, for justified text. */
  readonly stretch: number
  /** Largest font size in the line. */
  readonly size: number
  /** Distance from the previous line. */
  readonly height: number
  /** Space before the line. */
  readonly above: number
}

type Measure = (text: string, style: PieceStyle, flow?: Flow) => number

/** Fraction of the remaining width that is placed before a line. */
const shares: Readonly<Record<ParagraphAlign, number>> = { left: 0, center: 0.5, right: 1, justify: 0 }

export function styledLines(paragraphs: readonly StyledParagraph[], width: number, measure: Measure): readonly Line[] {
  let above = 0
  return paragraphs.flatMap((paragraph) => {
    const { top, bottom } = paragraph.margins
    const lines = linesOf(paragraph, width, measure)
    const placed = lines.map((line, index) => (index === 0 ? { ...line, above: above + top } : line))
    above = bottom
    return placed
  })
}

function linesOf(paragraph: StyledParagraph, width: number, measure: Measure): readonly Line[] {
  const room = Math.max(1, width - paragraph.margins.left - paragraph.margins.right)
  const lines: Line[] = []
  let pieces: Piece[] = []
  let used = paragraph.textIndent
  let direction: Direction | undefined
  const finish = (isLast: boolean): void => {
    // If no letter has determined the direction so far, the next line may determine it.
    direction ??= strongDirectionOf(textOf(pieces))
    const setting = { paragraph, room, isFirst: lines.length === 0, isLast, measure, direction: direction ?? 'ltr' }
    lines.push(lineOf(pieces, setting))
    if (isLast) direction = undefined
    pieces = []
    used = 0
  }
  for (const piece of paragraphPieces(paragraph, measure)) {
    if (piece === 'end') {
      finish(true)
      continue
    }
    for (const part of piece.width > room && piece.text.trim() !== '' ? clusterPieces(piece, measure) : [piece]) {
      if (used + part.width > room && pieces.length > 0 && part.text.trim() !== '') finish(false)
      pieces.push(part)
      used += part.width
    }
  }
  finish(true)
  return lines
}

interface Setting {
  readonly paragraph: StyledParagraph
  readonly room: number
  readonly isFirst: boolean
  readonly isLast: boolean
  readonly measure: Measure
  readonly direction: Direction
}

const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('')

function lineOf(pieces: readonly Piece[], setting: Setting): Line {
  const { paragraph, room, isFirst, isLast, measure, direction } = setting
  const shown = [...pieces]
  // Blanks at the end of a line take no space.
  while (shown.length > 0 && shown.at(-1)?.text.trim() === '') shown.pop()
  const styles = (shown.length > 0 ? shown : paragraph.runs).map(({ style }) => style)
  const size = Math.max(1, ...styles.map((style) => style.size))
  const indent = isFirst ? paragraph.textIndent : 0
  const rest = room - indent - shown.reduce((sum, piece) => sum + piece.width, 0)
  const blanks = shown.filter(({ text }) => text.trim() === '').length
  const isStretched = paragraph.align === 'justify' && !isLast && blanks > 0 && rest > 0
  const isRightToLeft = direction === 'rtl'
  const share = paragraph.align === 'justify' && isRightToLeft && !isStretched ? 1 : shares[paragraph.align]
  return {
    pieces: inVisualOrder(shown, direction, measure),
    left: paragraph.margins.left + (isRightToLeft ? 0 : indent) + Math.max(0, rest * share),
    stretch: isStretched ? rest / blanks : 0,
    size,
    height: paragraph.lineHeight ?? size * leading,
    above: 0,
  }
}

function* paragraphPieces({ runs }: StyledParagraph, measure: Measure): Generator<Piece | 'end'> {
  for (const { text, style } of runs) {
    for (const [index, line] of text.split(lineEnd).entries()) {
      if (index > 0) yield 'end'
      for (const part of piecesOf(line)) yield { text: part, style, width: measure(part, style) }
    }
  }
}

const clusterPieces = ({ text, style }: Piece, measure: Measure): readonly Piece[] =>
  clustersOf(text).map((cluster) => ({ text: cluster, style, width: measure(cluster, style) }))

function inVisualOrder(pieces: readonly Piece[], base: Direction, measure: Measure): readonly Piece[] {
  const line = textOf(pieces)
  if (base === 'ltr' && !isComplex(line)) return pieces
  const starts: number[] = []
  /** Index of the piece for each index in the line. */
  const indexes: number[] = []
  for (const [index, { text }] of pieces.entries()) {
    starts.push(indexes.length)
    for (let count = text.length; count > 0; count--) indexes.push(index)
  }
  return visualRuns(line, base).flatMap(({ start, end, direction }) => {
    const parts = pieces.slice(indexes[start], (indexes[end - 1] ?? 0) + 1).map((piece, count): Piece => {
      const from = starts[(indexes[start] ?? 0) + count] ?? 0
      const text = piece.text.slice(Math.max(0, start - from), end - from)
      const flow = { direction, ...joinedAt(line, Math.max(start, from), text.length) }
      const width = text === piece.text && direction === 'ltr' ? piece.width : measure(text, piece.style, flow)
      return { ...piece, text, width, flow }
    })
    return direction === 'rtl' ? parts.reverse() : parts
  })
}

/** Matches letters that join across a change of style within a word. */
const joining = /\p{sc=Arabic}|\p{M}|\p{Join_Control}/u
/** Number of adjacent characters that determine how letters join. */
const joiningMax = 5

function joinedAt(line: string, start: number, length: number): Pick<Flow, 'before' | 'after'> {
  const end = start + length
  const before = joining.test(line.charAt(start - 1)) ? line.slice(Math.max(0, start - joiningMax), start) : ''
  const after = joining.test(line.charAt(end)) ? line.slice(end, end + joiningMax) : ''
  return { before, after }
}
