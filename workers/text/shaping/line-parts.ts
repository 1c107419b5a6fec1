// Splits a line into parts from left to right, each written with one font: unshaped, or shaped with the font of its
// script.
import { bidi } from '../bidi.js'
import { clustersOf, isComplex } from './complex-text.js'
import { type Direction, type Flow, visualRuns } from './direction.js'
import { type RunToShape, type ScriptFont, scriptFontOf, type Weight } from './script-fonts.js'

export type LinePart = PlainPart | ShapedPart

export interface PlainPart {
  readonly kind: 'plain'
  /** Text in visual order. */
  readonly text: string
}

export interface ShapedPart {
  readonly kind: 'shaped'
  readonly font: ScriptFont
  readonly run: RunToShape
}

export interface PartChoice {
  readonly weight: Weight
  /** Returns whether a font can write the character without shaping. */
  readonly isPlain: (character: string) => boolean
}

/** Matches blanks, punctuation, symbols and digits, which get the font of adjacent letters. */
const neutral = /^[\p{Z}\p{P}\p{S}\p{N}]+$/u
/** Matches characters that have no glyph in any font. */
const invisible = /^\p{Default_Ignorable_Code_Point}+$/u

/** Consecutive characters of one font; undefined = unshaped. */
interface Stretch {
  readonly font: ScriptFont | undefined
  readonly text: string
}

export function linePartsOf(text: string, flow: Flow, choice: PartChoice): readonly LinePart[] {
  const { before = '', after = '' } = flow
  const line = before + text + after
  return visualRuns(text, flow.direction).flatMap(({ start, end, direction }) => {
    let place = before.length + start
    const parts = stretchesOf(text.slice(start, end), direction, choice).map(({ font, text }): LinePart => {
      const from = place
      place += text.length
      if (font !== undefined) return { kind: 'shaped', font, run: { line, start: from, end: place, direction } }
      return { kind: 'plain', text: direction === 'rtl' ? turnedAround(text) : text }
    })
    return direction === 'rtl' ? parts.reverse() : parts
  })
}

function stretchesOf(text: string, direction: Direction, choice: PartChoice): readonly Stretch[] {
  const clusters = clustersOf(text)
  const fonts = clusters.map((cluster) => (takesAny(cluster) ? undefined : fontOf(cluster, choice)))
  const firstFont = fonts[clusters.findIndex((cluster) => !takesAny(cluster))]
  const stretches: { readonly font: ScriptFont | undefined; text: string }[] = []
  clusters.forEach((cluster, index) => {
    const last = stretches.at(-1)
    const beside = last === undefined ? firstFont : last.font
    const font = takesAny(cluster) ? (fits(beside, cluster) ?? fontOfNeutral(cluster, direction, choice)) : fonts[index]
    if (last !== undefined && last.font === font) last.text += cluster
    else stretches.push({ font, text: cluster })
  })
  return stretches
}

const takesAny = (cluster: string): boolean => neutral.test(cluster) || invisible.test(cluster)

const fits = (font: ScriptFont | undefined, cluster: string): ScriptFont | undefined =>
  font?.has(cluster) ? font : undefined

function fontOf(cluster: string, { weight, isPlain }: PartChoice): ScriptFont | undefined {
  return !isComplex(cluster) && Array.from(cluster).every(isPlain) ? undefined : scriptFontOf(cluster, weight)
}

/**
 * Returns the font of a neutral cluster. In right-to-left text a bracket is mirrored but read as itself, which requires
 * shaping.
 */
function fontOfNeutral(cluster: string, direction: Direction, choice: PartChoice): ScriptFont | undefined {
  if (invisible.test(cluster)) return undefined
  const isTurned = direction === 'rtl' && bidi().getMirroredCharacter(cluster) !== null
  return isTurned ? scriptFontOf(cluster, choice.weight) : fontOf(cluster, choice)
}

/** Mirrors brackets that no font of a script has. */
function turnedAround(text: string): string {
  const clusters = clustersOf(text).map((cluster) => bidi().getMirroredCharacter(cluster) ?? cluster)
  return clusters.reverse().join('')
}
