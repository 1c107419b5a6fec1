// Parses one value (ISO 32000-2, 7.3). References stay references.
import { strictLimits } from '../strict-limits.js'
import type { StrictArray, StrictDictionary, StrictReference, StrictValue } from '../values.js'
import { codeOf, isDigit, isRegular } from './characters.js'
import { parseHexString, parseLiteralString, parseName } from './parse-strings.js'
import type { Scanner } from './scanner.js'

const [slash, paren, less, greater, bracket, closing] = [...'/(<>[]'].map(codeOf)
const keywords: ReadonlyMap<string, boolean | null> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])

/** Keys of flags. Some readers ignore a real number there, others take its integer part. */
const flagKeys: ReadonlySet<string> = new Set(['F', 'Ff'])

export function parseValue(scanner: Scanner, depth = 0): StrictValue {
  scanner.skipSpace()
  const start = scanner.at
  if (++scanner.values > strictLimits.valuesMax) scanner.fail('An object has too many values', start)
  if (depth > strictLimits.depthMax) scanner.fail('Arrays and dictionaries are nested too deeply', start)
  const code = scanner.peek()
  if (code === slash) return parseName(scanner)
  if (code === paren) return parseLiteralString(scanner)
  if (code === less) return scanner.peek(1) === less ? parseDictionary(scanner, depth) : parseHexString(scanner)
  if (code === bracket) return parseArray(scanner, depth)
  const token = scanner.token()
  const keyword = keywords.get(token)
  if (keyword !== undefined) return keyword
  if (!/^(?:[+-]?\d+\.?\d*|[+-]?\.\d+)$/.test(token)) scanner.fail('A value is expected', start)
  return (/^\d+$/.test(token) ? parseReference(scanner, token) : undefined) ?? numberOf(scanner, token, start)
}

/** Parses the rest of `N G R`; undefined, without moving, if the number does not begin a reference. */
function parseReference(scanner: Scanner, token: string): StrictReference | undefined {
  const after = scanner.at
  scanner.skipSpace()
  if (isDigit(scanner.peek())) {
    const generation = scanner.token()
    if (/^\d+$/.test(generation)) {
      scanner.skipSpace()
      if (scanner.peek() === codeOf('R') && !isRegular(scanner.peek(1))) {
        scanner.at++
        return reference(scanner, Number(token), Number(generation))
      }
    }
  }
  scanner.at = after
  return undefined
}

function reference(scanner: Scanner, number: number, generation: number): StrictReference {
  if (number >= strictLimits.objectNumbersMax || generation > strictLimits.generationMax) {
    scanner.fail('A reference names an impossible object')
  }
  return { kind: 'reference', number, generation }
}

function numberOf(scanner: Scanner, token: string, start: number): number {
  if (scanner.areRealsRefused && token.includes('.')) scanner.fail('An integer is expected', start)
  const digits = token.replace(/^[+-]?0*/, '').replace(/\..*$/, '')
  if (digits.length > strictLimits.integerDigitsMax) scanner.fail('A number is too large', start)
  // Adding 0 turns -0 into 0.
  return Number(token) + 0
}

function parseArray(scanner: Scanner, depth: number): StrictArray {
  scanner.at++
  const items: StrictValue[] = []
  for (;;) {
    scanner.skipSpace()
    if (scanner.peek() === closing) break
    items.push(parseValue(scanner, depth + 1))
  }
  scanner.at++
  return { kind: 'array', items }
}

export function parseDictionary(scanner: Scanner, depth = 0): StrictDictionary {
  if (scanner.peek() !== less || scanner.peek(1) !== less) scanner.fail('A dictionary is expected')
  scanner.at += 2
  const entries = new Map<string, StrictValue>()
  for (;;) {
    scanner.skipSpace()
    const code = scanner.peek()
    if (code === greater && scanner.peek(1) === greater) break
    if (code !== slash) scanner.fail('A key of a dictionary is expected')
    const start = scanner.at
    const { name } = parseName(scanner)
    if (entries.has(name)) scanner.fail('A dictionary has the same key twice', start)
    const areRealsRefused = scanner.areRealsRefused
    scanner.areRealsRefused ||= flagKeys.has(name)
    entries.set(name, parseValue(scanner, depth + 1))
    scanner.areRealsRefused = areRealsRefused
  }
  scanner.at += 2
  return { kind: 'dictionary', entries }
}
