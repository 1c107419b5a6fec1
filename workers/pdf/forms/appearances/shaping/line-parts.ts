// A line in parts, from left to right, each written with one font: as it stands, or shaped with the font of its script.
import { clustersOf, isComplex } from './complex-text.js'
import { type Direction, visualRuns } from './direction.js'
import { type RunToShape, type ScriptFont, scriptFontOf, type Weight } from './script-fonts.js'
import { shapingTools } from './tools.js'

export type LinePart = PlainPart | ShapedPart

export interface PlainPart {
  readonly kind: 'plain'
  /** In the order it is seen. */
  readonly text: string
}

export interface ShapedPart {
  readonly kind: 'shaped'
  readonly font: ScriptFont
  readonly run: RunToShape
}

export interface PartChoice {
  readonly weight: Weight
  /** Whether there is a font to write the character with as it stands. */
  readonly isPlain: (character: string) => boolean
}

/** What takes the font of the letters before it: blanks, signs and digits. */
const neutral = /^[\p{Z}\p{P}\p{S}\p{N}]+$/u
/** Without a glyph in any font. */
const invisible = /^\p{Default_Ignorable_Code_Point}+$/u

interface Stretch {
  readonly font: ScriptFont | undefined
  readonly start: number
  end: number
}

export function linePartsOf(line: string, base: Direction | undefined, choice: PartChoice): readonly LinePart[] {
  return visualRuns(line, base).flatMap(({ start, end, direction }) => {
    const stretches = stretchesOf(line, { start, end }, choice)
    const ordered = direction === 'rtl' ? stretches.reverse() : stretches
    return ordered.map((stretch): LinePart => {
      const { font } = stretch
      if (font !== undefined) {
        return { kind: 'shaped', font, run: { line, start: stretch.start, end: stretch.end, direction } }
      }
      const text = line.slice(stretch.start, stretch.end)
      return { kind: 'plain', text: direction === 'rtl' ? turnedAround(text) : text }
    })
  })
}

function stretchesOf(
  line: string,
  { start, end }: { readonly start: number; readonly end: number },
  choice: PartChoice,
): Stretch[] {
  const stretches: Stretch[] = []
  let place = start
  for (const cluster of clustersOf(line.slice(start, end))) {
    const last = stretches.at(-1)
    const font = fontOf(cluster, last?.font, choice)
    if (last !== undefined && last.font === font) last.end += cluster.length
    else stretches.push({ font, start: place, end: place + cluster.length })
    place += cluster.length
  }
  return stretches
}

function fontOf(
  cluster: string,
  before: ScriptFont | undefined,
  { weight, isPlain }: PartChoice,
): ScriptFont | undefined {
  if (before !== undefined && (invisible.test(cluster) || (neutral.test(cluster) && before.has(cluster)))) return before
  if (!isComplex(cluster) && Array.from(cluster).every(isPlain)) return undefined
  return scriptFontOf(cluster, weight)
}

function turnedAround(text: string): string {
  const { bidi } = shapingTools()
  const clusters = clustersOf(text).map((cluster) => bidi.getMirroredCharacter(cluster) ?? cluster)
  return clusters.reverse().join('')
}
