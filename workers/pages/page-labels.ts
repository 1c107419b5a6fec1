// Computes page labels such as i, ii, 1, 2, A-1 (ISO 32000-2, 12.4.2).
import type { PDFObject } from 'mupdf'
import { lookUp } from '../objects/look-up.js'
import { readingLimits } from '../objects/reading-limits.js'
import { numberTree } from '../objects/trees.js'
import { entry, integerOf, isDictionary, isMissing, nameOf, textOf } from '../objects/values.js'

/**
 * Maximum number written as a roman numeral or in letters, which would fill the answer; larger ones are written in
 * digits.
 */
const lettersMax = 10_000

const romans: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

const styles: Readonly<Record<string, (number: number) => string>> = {
  D: String,
  R: (number) => roman(number).toUpperCase(),
  r: roman,
  A: (number) => letters(number).toUpperCase(),
  a: letters,
}

/** Parts of a label before it is written out. */
export interface PageLabel {
  /** PDF name of the numbering style; undefined = no number. */
  readonly style: string | undefined
  readonly prefix: string
  readonly number: number
}

interface LabelRange extends PageLabel {
  readonly first: number
}

/**
 * Returns one label per page; null for pages before the first range, and for all pages of a document without labels.
 */
export const pageLabels = (catalog: PDFObject, pageCount: number): readonly (string | null)[] =>
  pageNumberings(catalog, pageCount).map((label) => (label === null ? null : labelText(label)))

export function pageNumberings(catalog: PDFObject, pageCount: number): readonly (PageLabel | null)[] {
  const tree = entry(catalog, 'PageLabels')
  if (isMissing(tree)) return new Array<null>(pageCount).fill(null)
  const ranges = [...numberTree(tree)]
    .filter(([first, range]) => first >= 0 && first < pageCount && isDictionary(range))
    .map(([first, range]): LabelRange => rangeOf(first, range))
    .sort((one, other) => one.first - other.first)
  const labels: (PageLabel | null)[] = []
  let next = 0
  let range: LabelRange | undefined
  for (let index = 0; index < pageCount; index++) {
    while ((ranges[next]?.first ?? pageCount) <= index) range = ranges[next++]
    labels.push(range === undefined ? null : labelIn(range, index))
  }
  return labels
}

function rangeOf(first: number, range: PDFObject): LabelRange {
  return {
    first,
    style: nameOf(entry(range, 'S')),
    prefix: (textOf(entry(range, 'P')) ?? '').slice(0, readingLimits.nameCharactersMax),
    number: Math.max(1, integerOf(entry(range, 'St')) ?? 1),
  }
}

const labelIn = ({ first, style, prefix, number }: LabelRange, index: number): PageLabel => ({
  style,
  prefix,
  number: number + index - first,
})

const labelText = ({ style, prefix, number }: PageLabel): string => prefix + (lookUp(styles, style)?.(number) ?? '')

function roman(number: number): string {
  if (number > lettersMax) return String(number)
  let rest = number
  let text = ''
  for (const [value, digits] of romans) {
    text += digits.repeat(Math.floor(rest / value))
    rest %= value
  }
  return text
}

/** Returns a to z, then aa to zz, then aaa to zzz: one letter, repeated. */
function letters(number: number): string {
  if (number > lettersMax) return String(number)
  return String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.ceil(number / 26))
}
