// How text is broken into lines, and how large it may be to fit.

export type Measure = (text: string) => number

/** Of the em: from line to line, from the baseline to the top, and to the bottom. */
export const leading = 1.15
export const ascent = 0.75
export const descent = 0.2

/** ISO 32000-2, 12.7.4.3: 0 = as large as fits; readers agree on these bounds. */
const autoSizeMin = 4
const multilineAutoSizeMax = 12
const autoSizeStep = 0.5

const lineEnd = /\r\n|\r|\n|\u2028|\u2029/

/** From here on characters may be parted anywhere: Chinese, Japanese, Korean. */
const breakableFrom = 0x2e80

/** Lines no wider than `width` em; a word that is wider by itself is broken. */
export function wrapped(text: string, width: number, measure: Measure): readonly string[] {
  return text.split(lineEnd).flatMap((paragraph) => wrappedParagraph(paragraph, width, measure))
}

export const oneLine = (text: string): string => text.split(lineEnd).join(' ')

function wrappedParagraph(paragraph: string, width: number, measure: Measure): readonly string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of piecesOf(paragraph)) {
    const pieceWidth = measure(piece)
    const isBlank = piece.trim() === ''
    if (used + pieceWidth > width && line !== '' && !isBlank) {
      lines.push(line.trimEnd())
      line = ''
      used = 0
    }
    if (pieceWidth <= width || isBlank) {
      line += piece
      used += pieceWidth
      continue
    }
    for (const character of piece) {
      const characterWidth = measure(character)
      if (used + characterWidth > width && line !== '') {
        lines.push(line)
        line = ''
        used = 0
      }
      line += character
      used += characterWidth
    }
  }
  lines.push(line)
  return lines
}

/** Words, the blanks between them, and single characters of scripts without blanks. */
function piecesOf(paragraph: string): readonly string[] {
  const pieces: string[] = []
  for (const word of paragraph.match(/\s+|\S+/g) ?? []) {
    let rest = ''
    for (const character of word) {
      if ((character.codePointAt(0) ?? 0) < breakableFrom) {
        rest += character
        continue
      }
      if (rest !== '') pieces.push(rest)
      rest = ''
      pieces.push(character)
    }
    if (rest !== '') pieces.push(rest)
  }
  return pieces
}

interface Room {
  readonly width: number
  readonly height: number
}

/** The size at which one line fills its room. */
export function singleLineSize(text: string, { width, height }: Room, measure: Measure): number {
  const em = measure(text)
  const byWidth = em > 0 ? width / em : Number.POSITIVE_INFINITY
  return Math.max(autoSizeMin, Math.min(height / leading, byWidth))
}

export function multilineSize(text: string, { width, height }: Room, measure: Measure): number {
  for (let size = multilineAutoSizeMax; size > autoSizeMin; size -= autoSizeStep) {
    const lines = wrapped(text, width / size, measure)
    if (lines.length * leading * size <= height) return size
  }
  return autoSizeMin
}
