// Determines the visual order of text: runs from left to right and from right to left (the Unicode bidirectional
// algorithm).
import { bidi } from '../bidi.js'
import { clustersOf, isComplex } from './complex-text.js'

export type Direction = 'ltr' | 'rtl'

/** Context of a text within its line. */
export interface Flow {
  /** Direction; default: that of its first letter. */
  readonly direction?: Direction
  /** Adjacent text before and after the run, perhaps in another style, with which letters join. */
  readonly before?: string
  readonly after?: string
}

export interface VisualRun {
  /** Offsets in the text; `end` is exclusive. */
  readonly start: number
  readonly end: number
  readonly direction: Direction
}

const marks: Readonly<Record<Direction, string>> = { ltr: '\u200e', rtl: '\u200f' }
const bidiControls = /\p{Bidi_Control}/gu

/** Removes characters that control the direction and are not text themselves. */
export const withoutBidiControls = (text: string): string => text.replace(bidiControls, '')

/** Returns the direction of a paragraph: that of its first letter that has one. */
export function directionOf(paragraph: string): Direction {
  if (!isComplex(paragraph)) return 'ltr'
  const [first] = bidi().getEmbeddingLevels(paragraph, 'auto').paragraphs
  return directionOfLevel(first?.level ?? 0)
}

/** Returns the direction of the first letter; undefined if there is none. */
export const strongDirectionOf = (text: string): Direction | undefined =>
  letter.test(text) ? directionOf(text) : undefined

const letter = /\p{L}/u

/** Returns a part of a paragraph that has the paragraph's direction also by itself. */
export const withDirectionMarks = (part: string, direction: Direction): string =>
  part === '' || directionOf(part) === direction ? part : marks[direction] + part

/** Returns runs from left to right. `base`: direction of the paragraph of the line; none = that of its first letter. */
export function visualRuns(line: string, base?: Direction): readonly VisualRun[] {
  if (line === '') return []
  const embedding = bidi().getEmbeddingLevels(line, base ?? 'auto')
  const { levels } = embedding
  for (let place = 1; place < line.length; place++) {
    if (isLowSurrogate(line, place)) levels[place] = levels[place - 1] ?? 0
  }
  const runs: { start: number; end: number; level: number }[] = []
  for (const place of bidi().getReorderedIndices(line, embedding)) {
    const level = levels[place] ?? 0
    const last = runs.at(-1)
    if (last?.level === level && place === last.end) last.end++
    else if (last?.level === level && place === last.start - 1) last.start--
    else runs.push({ start: place, end: place + 1, level })
  }
  return runs.map(({ start, end, level }) => ({ start, end, direction: directionOfLevel(level) }))
}

export interface VisualCluster {
  readonly text: string
  readonly direction: Direction
}

/** Returns clusters from left to right. */
export function visualClusters(line: string): readonly VisualCluster[] {
  if (!isComplex(line)) return clustersOf(line).map((text) => ({ text, direction: 'ltr' }))
  return visualRuns(line).flatMap(({ start, end, direction }) => {
    const clusters = clustersOf(withoutBidiControls(line.slice(start, end))).map((text) => ({ text, direction }))
    return direction === 'ltr' ? clusters : clusters.reverse()
  })
}

const directionOfLevel = (level: number): Direction => (level % 2 === 1 ? 'rtl' : 'ltr')

const isLowSurrogate = (text: string, place: number): boolean => {
  const [before, here] = [text.charCodeAt(place - 1), text.charCodeAt(place)]
  return before >= 0xd800 && before < 0xdc00 && here >= 0xdc00 && here < 0xe000
}
