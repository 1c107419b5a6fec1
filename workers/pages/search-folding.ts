// What a search takes for the same text: what people type for one another, and without what nobody sees.

export interface Folding {
  readonly matchCase: boolean
  readonly matchDiacritics: boolean
  readonly ignoreWhitespace: boolean
}

const inkless = /(?!\s)[\p{Default_Ignorable_Code_Point}\p{Cc}]/u
const everyInkless = new RegExp(inkless, 'gu')

/** True for characters without ink, such as soft hyphens, joiners and directional marks; not for white space. */
export const isInkless = (point: string | undefined): boolean =>
  point !== undefined && (point < ' ' || point > '~') && inkless.test(point)

/** Marks that people leave out. Vowels of Indic scripts and Thai are marks too, but nobody leaves these out. */
const accents =
  /(?=\p{M})[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}]|\u0640/gu
const quotes = /[`\u00b4\u2018-\u201b\u2032\u2035\u2039\u203a\u02b9\u02bb-\u02bd\u02bf\u05f3\u07f4\u07f5]/gu
const doubleQuotes = /[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u301d-\u301f\u02ba\u05f4]/gu
const dashes = /[\p{Pd}\u2043\u2212\u02d7]/gu
const slashes = /[\u2044\u2215]/gu
/** Letters that look alike, or nearly so, and stand on different keyboards. */
const alike: Readonly<Record<string, string>> = { '\u06cc': '\u064a', '\u0649': '\u064a', '\u06a9': '\u0643', ς: 'σ' }
const everyAlike = new RegExp(`[${Object.keys(alike).join('')}]`, 'gu')
const digits = /(?![0-9])\p{Nd}/gu
/** Presentation forms of marks by themselves stand on a space. */
const onSpace = /^ (?=\p{M})/u

/** True for a character that belongs to the one before it: a mark, or a further letter of a Korean syllable. */
const isFurther = (point: string | undefined): boolean =>
  point !== undefined && point > '\u02ff' && /^[\p{M}\u1160-\u11ff]$/u.test(point)

/** Returns the index after the character at `from` and all that belongs to it. */
export function sequenceEnd(points: readonly string[], from: number): number {
  let end = from + 1
  while (isFurther(points[end])) end++
  return end
}

/** Folds a character with all that belongs to it. */
export function folded(sequence: string, { matchCase, matchDiacritics, ignoreWhitespace }: Folding): string {
  if (sequence.length === 1 && sequence > ' ' && sequence <= '~' && sequence !== '`')
    return matchCase ? sequence : sequence.toLowerCase()
  const apart = sequence.normalize('NFKD')
  let text = (sequence.startsWith(' ') ? apart : apart.replace(onSpace, '')).replace(everyInkless, '')
  if (!matchDiacritics)
    text = text
      .replace(accents, '')
      .replace(everyAlike, (letter) => alike[letter] ?? letter)
      .replace(digits, (digit) => String(digitOf(digit)))
  text = text
    .normalize('NFC')
    .replace(quotes, "'")
    .replace(doubleQuotes, '"')
    .replace(dashes, '-')
    .replace(slashes, '/')
  if (ignoreWhitespace) text = text.replace(/\s/gu, '')
  return matchCase ? text : text.toLowerCase()
}

/** Returns the ASCII character that a form would have for the character; the character itself if there is none. */
export function plainCharacter(point: string): string {
  if (point <= '~' || /\s/u.test(point)) return point
  const isLetter = /\p{L}/u.test(point)
  const plain = isLetter ? point.normalize('NFKC') : folded(point, plainFolding)
  return plain.length === 1 && plain > ' ' && plain <= '~' ? plain : point
}

const plainFolding: Folding = { matchCase: true, matchDiacritics: false, ignoreWhitespace: false }

/** Digits of a script follow each other, from zero on. */
function digitOf(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return value
}
