// Text of several styles, broken into lines: words go to the next line where they would pass the right edge, and words
// wider than a line are parted.
import { leading } from '../../../pdf/forms/appearances/text-lines.js'
import type { Color } from '../../../shapes/color.js'
import type { ParagraphAlign } from '../../../shapes/text-align.js'

export interface PieceStyle {
  /** Alias of a standard font. */
  readonly fontName: string
  readonly size: number
  readonly color: Color
  readonly underline: boolean
  readonly strikethrough: boolean
}

export interface StyledParagraph {
  readonly align: ParagraphAlign
  readonly lineHeight: number | undefined
  /** Points: before the first line, behind the last, and beside all. */
  readonly margins: { readonly top: number; readonly bottom: number; readonly left: number; readonly right: number }
  readonly textIndent: number
  readonly runs: readonly { readonly text: string; readonly style: PieceStyle }[]
}

export interface Piece {
  readonly text: string
  readonly style: PieceStyle
  readonly width: number
}

export interface Line {
  readonly pieces: readonly Piece[]
  /** From the left edge of the room. */
  readonly left: number
  /** Points between words, beside what they are wide. */
  readonly stretch: number
  /** The size of the largest letters. */
  readonly size: number
  /** From the line before to this one. */
  readonly height: number
  /** Empty space before it. */
  readonly above: number
}

type Measure = (text: string, style: PieceStyle) => number

/** Parts of what is left beside a line, before it. */
const shares: Readonly<Record<ParagraphAlign, number>> = { left: 0, center: 0.5, right: 1, justify: 0 }
const lineEnd = /\r\n|\r|\n|\u2028|\u2029/
/** From here on characters may be parted anywhere: Chinese, Japanese, Korean. */
const breakable = /[\u2e80-\uffdc]|[\u{20000}-\u{3ffff}]/u

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
  const finish = (isLast: boolean): void => {
    lines.push(lineOf(pieces, { paragraph, room, isFirst: lines.length === 0, isLast, measure }))
    pieces = []
    used = 0
  }
  for (const piece of piecesOf(paragraph, measure)) {
    if (piece === 'end') {
      finish(true)
      continue
    }
    for (const part of piece.width > room && piece.text.trim() !== '' ? parted(piece, measure) : [piece]) {
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
}

function lineOf(pieces: readonly Piece[], { paragraph, room, isFirst, isLast }: Setting): Line {
  const shown = [...pieces]
  // Blanks at the end of a line take no room.
  while (shown.length > 0 && shown.at(-1)?.text.trim() === '') shown.pop()
  const styles = (shown.length > 0 ? shown : paragraph.runs).map(({ style }) => style)
  const size = Math.max(1, ...styles.map((style) => style.size))
  const indent = isFirst ? paragraph.textIndent : 0
  const rest = room - indent - shown.reduce((sum, piece) => sum + piece.width, 0)
  const blanks = shown.filter(({ text }) => text.trim() === '').length
  const isStretched = paragraph.align === 'justify' && !isLast && blanks > 0 && rest > 0
  return {
    pieces: shown,
    left: paragraph.margins.left + indent + Math.max(0, rest * shares[paragraph.align]),
    stretch: isStretched ? rest / blanks : 0,
    size,
    height: paragraph.lineHeight ?? size * leading,
    above: 0,
  }
}

function* piecesOf({ runs }: StyledParagraph, measure: Measure): Generator<Piece | 'end'> {
  for (const { text, style } of runs) {
    for (const [index, line] of text.split(lineEnd).entries()) {
      if (index > 0) yield 'end'
      for (const word of line.match(/\s+|\S+/g) ?? []) {
        for (const part of breakable.test(word) ? Array.from(word) : [word]) {
          yield { text: part, style, width: measure(part, style) }
        }
      }
    }
  }
}

const parted = ({ text, style }: Piece, measure: Measure): readonly Piece[] =>
  Array.from(text, (character) => ({ text: character, style, width: measure(character, style) }))
