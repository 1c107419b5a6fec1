// Breaks text into lines, and computes the font size at which it fits.
import { clustersOf, piecesOf } from './shaping/complex-text.js'
import { type Direction, directionOf, withDirectionMarks } from './shaping/direction.js'

export type Measure = (text: string) => number

/** Distances as fractions of the em: line spacing, and distance of the baseline from the top and the bottom. */
export const leading = 1.15
export const ascent = 0.75
export const descent = 0.2

/** Bounds of an automatic font size (ISO 32000-2, 12.7.4.3), common to most readers. */
const autoSizeMin = 4
const multilineAutoSizeMax = 12
const autoSizeStep = 0.5

export const lineEnd = /\r\n|\r|\n|\u2028|\u2029/

/** Returns lines no wider than `width` em; a word that is wider is broken. */
export function wrapped(text: string, width: number, measure: Measure): readonly string[] {
  return wrappedPieces(measured(text, measure), width, measure)
}

export const oneLine = (text: string): string => text.split(lineEnd).join(' ')

class Piece {
  readonly width: number
  #clusters: readonly string[] | undefined

  constructor(
    readonly text: string,
    measure: Measure,
  ) {
    this.width = measure(text)
  }

  /** Characters with their marks, between which a word may be broken if necessary. */
  get clusters(): readonly string[] {
    this.#clusters ??= clustersOf(this.text)
    return this.#clusters
  }
}

interface Paragraph {
  readonly pieces: readonly Piece[]
  readonly direction: Direction
}

const measured = (text: string, measure: Measure): readonly Paragraph[] =>
  text.split(lineEnd).map((paragraph) => ({
    pieces: piecesOf(paragraph).map((piece) => new Piece(piece, measure)),
    direction: directionOf(paragraph),
  }))

/** Each line has the direction of its paragraph, whatever it begins with. */
const wrappedPieces = (paragraphs: readonly Paragraph[], width: number, measure: Measure): readonly string[] =>
  paragraphs.flatMap(({ pieces, direction }) =>
    wrappedParagraph(pieces, width, measure).map((line) => withDirectionMarks(line, direction)),
  )

function wrappedParagraph(pieces: readonly Piece[], width: number, measure: Measure): readonly string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const piece of pieces) {
    const isBlank = piece.text.trim() === ''
    if (used + piece.width > width && line !== '' && !isBlank) {
      lines.push(line.trimEnd())
      line = ''
      used = 0
    }
    if (piece.width <= width || isBlank) {
      line += piece.text
      used += piece.width
      continue
    }
    for (const cluster of piece.clusters) {
      const clusterWidth = measure(cluster)
      if (used + clusterWidth > width && line !== '') {
        lines.push(line)
        line = ''
        used = 0
      }
      line += cluster
      used += clusterWidth
    }
  }
  lines.push(line)
  return lines
}

interface Room {
  readonly width: number
  readonly height: number
}

/** Returns the font size at which a single line fits its box. */
export function singleLineSize(text: string, { width, height }: Room, measure: Measure): number {
  const em = measure(text)
  const byWidth = em > 0 ? width / em : Number.POSITIVE_INFINITY
  return Math.max(autoSizeMin, Math.min(height / leading, byWidth))
}

export function multilineSize(text: string, { width, height }: Room, measure: Measure): number {
  const paragraphs = measured(text, measure)
  for (let size = multilineAutoSizeMax; size > autoSizeMin; size -= autoSizeStep) {
    const lines = wrappedPieces(paragraphs, width / size, measure)
    if (lines.length * leading * size <= height) return size
  }
  return autoSizeMin
}
