// Parameters of the text state (ISO 32000-2, 9.3) that determine where glyphs are shown.
import type { PDFObject } from 'mupdf'
import { nameIn, type Operator } from '../../content/operators.js'
import { entry, isArray, numberOf } from '../../objects/values.js'
import type { UsedResources } from '../content/used-resources.js'

/** A font as content selected it. */
export interface SelectedFont {
  readonly object: PDFObject
  /** Resource name; undefined for a font of an external graphics state. */
  readonly name: string | undefined
  readonly used: UsedResources
  /** True once something is shown in it that stays. */
  isShown: boolean
}

export interface TextState {
  readonly font: SelectedFont | undefined
  readonly size: number
  readonly characterSpacing: number
  readonly wordSpacing: number
  /** Horizontal scale; 1 is normal. */
  readonly scale: number
  readonly leading: number
  readonly rise: number
  /** Rendering mode; 4 and above add to the clip. */
  readonly mode: number
}

/** Rendering modes in which no glyph is seen: hidden, and only adding to the clip. */
const inkless = new Set([3, 7])

/** True if glyphs are drawn in the rendering mode. */
export const isDrawn = (mode: number): boolean => !inkless.has(mode)

export const firstText: TextState = {
  font: undefined,
  size: 0,
  characterSpacing: 0,
  wordSpacing: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  mode: 0,
}

type Step = (operands: readonly string[], used: UsedResources) => Partial<TextState>

const numeral = (key: 'characterSpacing' | 'wordSpacing' | 'leading' | 'rise' | 'mode'): Step => {
  return ([value]) => ({ [key]: Number(value) })
}

const steps: Readonly<Record<string, Step>> = {
  Tc: numeral('characterSpacing'),
  Tw: numeral('wordSpacing'),
  TL: numeral('leading'),
  Ts: numeral('rise'),
  Tr: numeral('mode'),
  Tz: ([percent]) => ({ scale: Number(percent) / 100 }),
  TD: ([, y]) => ({ leading: -Number(y) }),
  '"': ([words, characters]) => ({ wordSpacing: Number(words), characterSpacing: Number(characters) }),
  Tf: ([font, size], used) => {
    const name = nameIn(font)
    return {
      font: { object: used.find('Font', name ?? ''), name, used, isShown: false },
      size: Number(size),
    }
  },
  gs: ([name], used) => {
    const font = entry(used.find('ExtGState', nameIn(name) ?? ''), 'Font')
    if (!isArray(font)) return {}
    const object = entry(font, 0)
    return { font: { object, name: undefined, used, isShown: false }, size: numberOf(entry(font, 1)) ?? 0 }
  },
}

export function textStateAfter({ name, operands }: Operator, now: TextState, used: UsedResources): TextState {
  const step = steps[name]
  return step === undefined ? now : { ...now, ...step(operands, used) }
}
