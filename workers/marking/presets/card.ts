// Finds numbers of payment cards (ISO/IEC 7812-1): 13 to 19 digits that begin like those of card networks, with the
// right Luhn checksum. The digits may stand in groups, of which one may be on the next line.
import { type FindSpans, isPartOfWord, type Span } from './preset-pattern.js'

const digitsMin = 13
const digitsMax = 19
const lineBreaksMax = 1
/** A line break that ends a block is doubled. */
const separator = /^(?:[ \u00a0\u202f-]|[ -]?\n{1,2})$/

export const cardNumbers: FindSpans = function* (text) {
  const groups = [...text.matchAll(/[0-9]+/g)].map(({ index, 0: digits }) => ({ index, digits }))
  let from = 0
  while (from < groups.length) {
    const found = longestFrom(text, groups, from)
    if (found !== undefined) yield found.span
    from = found?.next ?? from + 1
  }
}

interface Group {
  readonly index: number
  readonly digits: string
}

/** Tries whole groups only: a number within a longer row of digits is none of a card. */
function longestFrom(text: string, groups: readonly Group[], from: number) {
  let digits = ''
  let lineBreaks = 0
  let end = 0
  let found: { readonly span: Span; readonly next: number } | undefined
  const start = groups[from]?.index ?? 0
  for (let at = from; at < groups.length; at++) {
    const group = groups[at]
    if (group === undefined || digits.length + group.digits.length > digitsMax) break
    const between = text.slice(end, group.index)
    if (at > from && !separator.test(between)) break
    if (at > from && between.endsWith('\n') && ++lineBreaks > lineBreaksMax) break
    digits += group.digits
    end = group.index + group.digits.length
    if (isCardNumber(digits) && !isPartOfWord(text, [start, end])) found = { span: [start, end], next: at + 1 }
  }
  return found
}

export const isCardNumber = (digits: string): boolean =>
  digits.length >= digitsMin && digits.length <= digitsMax && /^[2-6]/.test(digits) && luhnSum(digits) % 10 === 0

function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
    return sum + (value > 9 ? value - 9 : value)
  }, 0)
}
