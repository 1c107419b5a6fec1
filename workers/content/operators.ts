// Iterates over the operators of a content stream with their operands as written (ISO 32000-2, 7.8.2).
import { nameAsWritten } from '../engine/names.js'
import { inlineEnd } from './inline-image-end.js'

export interface Operator {
  readonly name: string
  /** Operands as written; an array or dictionary is a single operand. */
  readonly operands: readonly string[]
  /** Text of the operator including its operands; for an inline image, everything from `BI` to `EI`. */
  readonly text: string
  /** Samples of an inline image: the bytes between `ID` and `EI`. */
  readonly samples?: string
}

/**
 * Pattern of a token. White space is six bytes (ISO 32000-2, table 1), unlike in Unicode: a name may contain byte A0.
 */
const token =
  /[\0\t\n\f\r ]*(?:(?<string>\()|<<|>>|<[^>]*>?|[[\]{}]|\/[^\0\t\n\f\r ()<>[\]{}/%]*|(?<comment>%[^\r\n]*)|(?<word>[^\0\t\n\f\r ()<>[\]{}/%]+)|\))/y
const numeral = /^[+-]?[\d.]/
const constants = new Set(['true', 'false', 'null'])
const closersOf: Readonly<Record<string, string>> = { '[': ']', '<<': '>>', '{': '}' }
const nesting: Readonly<Record<string, number>> = { '[': 1, '<<': 1, '{': 1, ']': -1, '>>': -1, '}': -1 }
/** Matches a hexadecimal string without its closing bracket. */
const unclosedDigits = /^<[^<>]*$/

/**
 * Yields the operators. `content` has one character per byte. Returns the characters that close an unfinished token at
 * its end.
 */
export function* operatorsOf(content: string): Generator<Operator, string, undefined> {
  let operands: string[] = []
  let [start, place, openedAt] = [0, 0, 0]
  const open: string[] = []
  let closer = ''
  for (;;) {
    token.lastIndex = place
    const match = token.exec(content)
    if (match === null) return closer + closing(open)
    const { string, comment, word } = match.groups ?? {}
    const text = match[0].replace(/^[\0\t\n\f\r ]+/, '')
    const from = token.lastIndex - text.length
    place = token.lastIndex
    if (string !== undefined) ({ place, closer } = stringEnd(content, place))
    else if (unclosedDigits.test(text)) closer = '>'
    if (comment !== undefined) continue
    if (operands.length === 0 && open.length === 0) start = from
    const step = nesting[text] ?? 0
    if (step > 0 && open.push(text) === 1) openedAt = from
    if (step < 0) open.pop()
    if (open.length > 0) continue
    if (word === undefined || numeral.test(word) || constants.has(word)) {
      operands.push(content.slice(step < 0 ? openedAt : from, place))
      continue
    }
    if (word === 'BI') {
      operands = [word]
      continue
    }
    if (word === 'ID') {
      const first = place + 1
      const end = inlineEnd(content, first, operands.slice(1))
      ;({ operator: place, closer } = end)
      const samples = content.slice(first, end.samples)
      yield { name: 'EI', operands, text: content.slice(start, place), samples }
    } else yield { name: word, operands, text: content.slice(start, place) }
    operands = []
  }
}

const closing = (open: readonly string[]): string =>
  open
    .toReversed()
    .map((opener) => closersOf[opener] ?? '')
    .join('')

interface End {
  readonly place: number
  /** Characters that close the unfinished token. */
  readonly closer: string
}

function stringEnd(content: string, from: number): End {
  let depth = 1
  for (let place = from; place < content.length; place++) {
    const character = content[place]
    if (character === '\\') place++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return { place: place + 1, closer: '' }
  }
  return { place: content.length, closer: ')'.repeat(depth) }
}

/**
 * Returns a name without the slash, in the form in which the engine returns keys of a dictionary; undefined if the text
 * is no name.
 */
export function nameIn(operand: string | undefined): string | undefined {
  return operand?.startsWith('/') ? nameAsWritten(operand) : undefined
}

/** Yields the bytes of a string as written. */
export function* bytesIn(string: string): Generator<number> {
  yield* string.startsWith('<') ? hexCodes(string) : literalCodes(string)
}

function* hexCodes(string: string): Generator<number> {
  const digits = string.replace(/[^0-9A-Fa-f]/g, '')
  for (let place = 0; place < digits.length; place += 2)
    yield Number.parseInt(digits.slice(place, place + 2).padEnd(2, '0'), 16)
}

const escapes: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12 }

function* literalCodes(string: string): Generator<number> {
  for (const [part, octal, escaped] of string.slice(1, -1).matchAll(/\\([0-7]{1,3})|\\(\r\n|[\s\S])|[\s\S]/g)) {
    if (octal !== undefined) yield Number.parseInt(octal, 8) & 0xff
    else if (escaped === undefined) yield part.charCodeAt(0)
    else if (!/^[\r\n]/.test(escaped)) yield escapes[escaped] ?? escaped.charCodeAt(0)
  }
}
