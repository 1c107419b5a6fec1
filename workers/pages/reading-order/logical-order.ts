// Finds the order in which a line is read from the places of its letters: the Unicode bidirectional algorithm (UAX 9)
// backwards. Several texts may look the same; of these, the one that the program drew in this order is taken.
import type { BidiCharTypeName } from 'bidi-js'
import { bidi } from '../../text/bidi.js'

export type Base = 'ltr' | 'rtl'

/** Line as it is seen. */
export interface SeenLine {
  /** Texts from left to right; letters of a ligature are one text. */
  readonly texts: readonly string[]
  /** Indexes of the texts in the order in which they were drawn. */
  readonly drawn: readonly number[]
  /** Direction of the paragraph, as far as it is known. */
  readonly base: Base
}

export interface LogicalLine {
  /** Indexes of the texts in logical order. */
  readonly order: readonly number[]
  /** True for texts that run from right to left, in logical order. */
  readonly isRightToLeft: readonly boolean[]
  /** Number of pairs of brackets that close only if those in right-to-left text are mirrored, less those that do not. */
  readonly mirroredPairs: number
}

export function logicalOrder({ texts, drawn, base }: SeenLine): LogicalLine {
  const signs = texts.map(signOf)
  const tried: LogicalLine[] = []
  for (const [order, direction] of candidates(signs, drawn, base)) {
    const { line, seen } = checked(signs, order, direction)
    if (seen.every((index, place) => texts[index] === texts[place])) return line
    tried.push(line)
  }
  // A line that no text looks like is read as it is seen.
  return tried[1] ?? { order: drawn, isRightToLeft: [], mirroredPairs: 0 }
}

type Order = readonly number[]

/** Yields orders that may be right, the likeliest first. */
function* candidates(signs: readonly string[], drawn: Order, base: Base): Iterable<readonly [Order, Base]> {
  yield [drawn, base]
  const mirrored = signs.map(mirror)
  for (const direction of base === 'rtl' ? (['rtl', 'ltr'] as const) : (['ltr', 'rtl'] as const)) {
    for (const variant of pairsIn(mirrored) > pairsIn(signs) ? [mirrored, signs] : [signs, mirrored]) {
      yield [shownOrder(variant, direction).places, direction]
      yield [readFromRight(variant, direction), direction]
    }
  }
}

/** Returns what a reader shows: indexes from left to right, and the level of each index. */
function shownOrder(signs: readonly string[], base: Base): { readonly places: Order; readonly levels: Uint8Array } {
  const text = signs.join('')
  const embedding = bidi().getEmbeddingLevels(text, base)
  return { places: bidi().getReorderedIndices(text, embedding), levels: embedding.levels }
}

/** Reads right-to-left parts from the right: numbers there belong to the letters on their right. */
function readFromRight(signs: readonly string[], base: Base): Order {
  const whole = signs.map((_, index) => index)
  if (base === 'rtl') return partFromRight(signs, whole)
  const { levels } = shownOrder(signs, base)
  const order: number[] = []
  for (let from = 0; from < signs.length; ) {
    let to = from
    while (to < signs.length && (levels[to] ?? 0) > 0) to++
    order.push(...(to > from ? partFromRight(signs, whole.slice(from, to)) : [from]))
    from = Math.max(to, from + 1)
  }
  return order
}

function partFromRight(signs: readonly string[], part: Order): Order {
  const turned = part.toReversed()
  const shown = shownOrder(
    turned.map((index) => signs[index] ?? ''),
    'rtl',
  )
  return shown.places.toReversed().map((place) => turned[place] ?? 0)
}

function checked(signs: readonly string[], order: Order, base: Base): { line: LogicalLine; seen: Order } {
  const coded = order.map((index) => signs[index] ?? '')
  const first = shownOrder(coded, base)
  const turned = coded.map((sign, place) => (isOdd(first.levels[place]) ? mirror(sign) : sign))
  const mirroredPairs = pairsIn(turned) - pairsIn(coded)
  const { places, levels } = mirroredPairs > 0 ? shownOrder(turned, base) : first
  const isRightToLeft = order.map((_, place) => isOdd(levels[place]))
  return { line: { order, isRightToLeft, mirroredPairs }, seen: places.map((place) => order[place] ?? 0) }
}

const isOdd = (level: number | undefined): boolean => (level ?? 0) % 2 === 1

/** Returns the character that stands for a text: a single UTF-16 unit with the same effect on the order. */
function signOf(text: string): string {
  const [first = ' ', ...others] = text
  const strong = [first, ...others].map(classOf).find((name) => name === 'L' || name === 'R' || name === 'AL')
  const name = strong ?? classOf(first)
  if (name === 'ON' && others.length === 0 && first.length === 1 && mirror(first) !== first) return first
  return signs[name] ?? '!'
}

const classOf = (character: string): BidiCharTypeName => bidi().getBidiCharTypeName(character)

/** Controls, which people cannot see, have no effect: what is seen is ordered already. */
const signs: Partial<Readonly<Record<BidiCharTypeName, string>>> = {
  L: 'a',
  R: '\u05d0',
  AL: '\u0627',
  EN: '1',
  ES: '+',
  ET: '%',
  AN: '\u0661',
  CS: ',',
  NSM: '\u0300',
  B: ' ',
  S: ' ',
  WS: ' ',
}

/** Returns the other one of two characters that mirror each other. */
export const mirror = (character: string): string => bidi().getMirroredCharacter(character) ?? character

/** Maximum depth of brackets (UAX 9, BD16). */
const depthMax = 63

/** Counts brackets that are closed within the text. */
function pairsIn(signs: readonly string[]): number {
  const open: string[] = []
  let pairs = 0
  for (const sign of signs) {
    const closing = bidi().openingToClosingBracket(sign)
    if (closing !== null && open.length < depthMax) open.push(closing)
    else if (bidi().closingToOpeningBracket(sign) !== null && open.includes(sign)) {
      open.length = open.lastIndexOf(sign)
      pairs++
    }
  }
  return pairs
}

/** Matches characters that run from right to left, Arabic digits, and controls that make others do so. */
const turning =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** False for text that is read as it is drawn, from left to right. */
export const mayTurn = (text: string): boolean => turning.test(text)

/** Counts letters of both directions. */
export function lettersOf(text: string): Readonly<Record<Base, number>> {
  let [ltr, rtl] = [0, 0]
  for (const character of text) {
    const name = classOf(character)
    if (name === 'L') ltr++
    else if (name === 'R' || name === 'AL') rtl++
  }
  return { ltr, rtl }
}
