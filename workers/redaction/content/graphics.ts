// Parameters of the graphics state (ISO 32000-2, 8.4) that determine how paths and text are drawn: transformation, pen,
// pattern, text state.
import type { Matrix, PDFObject } from 'mupdf'
import { nameIn, type Operator } from '../../content/operators.js'
import { elementsOf, entry, isArray, numberOf } from '../../objects/values.js'
import type { Pen } from '../cutting/pen-ink.js'
import { firstText, type TextState } from '../text/text-state.js'
import { identity, premultiplied } from './matrices.js'

export interface Graphics {
  readonly ctm: Matrix
  readonly pen: Pen
  /** Resource name of the fill pattern; undefined for a plain colour. */
  readonly fillPattern: string | undefined
  readonly strokePattern: string | undefined
  readonly text: TextState
}

export const firstGraphics: Graphics = {
  ctm: identity,
  pen: { width: 1, cap: 0, join: 0, miterLimit: 10, dashes: [], dashPhase: 0 },
  fillPattern: undefined,
  strokePattern: undefined,
  text: firstText,
}

/** Maximum length of a dash array: longer ones are not visible as dash patterns. */
const dashesMax = 1_000

type Step = (operands: readonly string[], now: Graphics) => Partial<Graphics>

const pen =
  (key: 'width' | 'cap' | 'join' | 'miterLimit'): Step =>
  ([value], now) => ({ pen: { ...now.pen, [key]: finite(Number(value)) } })
const fillsPlain: Step = () => ({ fillPattern: undefined })
const strokesPlain: Step = () => ({ strokePattern: undefined })

const steps: Readonly<Record<string, Step>> = {
  cm: (operands, { ctm }) => ({ ctm: premultiplied(operands.map(Number), ctm) }),
  w: pen('width'),
  J: pen('cap'),
  j: pen('join'),
  M: pen('miterLimit'),
  d: ([dashes = '', phase], now) => ({
    pen: { ...now.pen, ...dashesOf((dashes.match(/[^\s[\]]+/g) ?? []).map(Number), Number(phase)) },
  }),
  cs: fillsPlain,
  CS: strokesPlain,
  ...Object.fromEntries(['g', 'rg', 'k', 'sc'].map((name) => [name, fillsPlain])),
  ...Object.fromEntries(['G', 'RG', 'K', 'SC'].map((name) => [name, strokesPlain])),
  scn: (operands) => ({ fillPattern: nameIn(operands.at(-1)) }),
  SCN: (operands) => ({ strokePattern: nameIn(operands.at(-1)) }),
}

/** Returns the graphics state after an operator; `withState` handles `gs`. */
export function graphicsAfter({ name, operands }: Operator, now: Graphics): Graphics {
  const step = steps[name]
  return step === undefined ? now : { ...now, ...step(operands, now) }
}

/** Applies an external graphics state dictionary (table 57). */
export function withState(now: Graphics, state: PDFObject): Graphics {
  const read = (key: string, known: number): number => numberOf(entry(state, key)) ?? known
  const { width, cap, join, miterLimit } = now.pen
  const dash = entry(state, 'D')
  const lengths = [...elementsOf(entry(dash, 0), dashesMax)].map((one) => numberOf(one) ?? 0)
  return {
    ...now,
    pen: {
      ...now.pen,
      width: read('LW', width),
      cap: read('LC', cap),
      join: read('LJ', join),
      miterLimit: read('ML', miterLimit),
      ...(isArray(dash) ? dashesOf(lengths, numberOf(entry(dash, 1)) ?? 0) : {}),
    },
  }
}

function dashesOf(dashes: readonly number[], phase: number): Pick<Pen, 'dashes' | 'dashPhase'> {
  const isDashed = dashes.length <= dashesMax && dashes.every((one) => one >= 0) && dashes.some((one) => one > 0)
  return { dashes: isDashed ? dashes : [], dashPhase: finite(phase) }
}

const finite = (value: number): number => (Number.isFinite(value) ? Math.max(0, value) : 0)
