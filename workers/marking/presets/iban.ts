// Finds international bank account numbers (ISO 13616): a known country, the length that it has there, and the right
// checksum. The characters may stand in groups, also over several lines.
import type { FindSpans } from './preset-pattern.js'

/** Lengths by country, of the registry of the standard. */
const countriesByLength: Readonly<Record<number, string>> = {
  15: 'NO',
  16: 'BE',
  18: 'DK FI FK FO GL NL SD',
  19: 'MK SI',
  20: 'AT BA EE KZ LT LU MN XK',
  21: 'CH HR LI LV',
  22: 'BG BH CR DE GB GE IE ME RS VA',
  23: 'AE GI IL IQ OM SO TL',
  24: 'AD CZ ES MD PK RO SA SE SK TN VG',
  25: 'LY PT ST',
  26: 'IS TR',
  27: 'BI DJ FR GR IT MC MR SM',
  28: 'AL AZ BY CY DO GT HN HU LB NI PL SV',
  29: 'BR EG PS QA UA',
  30: 'JO KW MU YE',
  31: 'MT SC',
  32: 'LC',
  33: 'RU',
}
const lengths: ReadonlyMap<string, number> = new Map(
  Object.entries(countriesByLength).flatMap(([length, countries]) =>
    countries.split(' ').map((country) => [country, Number(length)] as const),
  ),
)

const beginning = /(?<![\p{L}\p{N}_])[a-z]{2}[0-9]{2}/giu
/** A separator of groups: one or two of these characters. */
const separator = /[ \u00a0\u202f\t\n-]/
const separatorMax = 2

export const ibans: FindSpans = function* (text) {
  let end = 0
  for (const { index, 0: first } of text.matchAll(beginning)) {
    const length = lengths.get(first.slice(0, 2).toUpperCase())
    if (index < end || length === undefined) continue
    const found = groupsFrom(text, index, length)
    if (found === undefined || !hasRightChecksum(found.characters)) continue
    end = found.end
    yield [index, end]
  }
}

/** Reads letters and digits across separators; undefined if there are fewer, or the last one does not end a word. */
function groupsFrom(text: string, start: number, length: number) {
  let characters = ''
  let gap = 0
  let at = start
  for (; characters.length < length; at++) {
    const character = text[at] ?? ''
    if (/[a-z0-9]/i.test(character)) {
      characters += character.toUpperCase()
      gap = 0
    } else if (!separator.test(character) || ++gap > separatorMax) return undefined
  }
  return /^[\p{L}\p{N}_]/u.test(text.slice(at, at + 2)) ? undefined : { characters, end: at }
}

/** ISO 7064, MOD 97-10: country and checksum go to the end, letters count from 10. */
export function hasRightChecksum(iban: string): boolean {
  let rest = 0
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}
