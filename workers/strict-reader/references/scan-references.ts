// Finds the references in the bytes of one object without building its value: an index over a whole file needs nothing
// else, and building the values of 50,000 objects takes ten times as long.
import { strictLimits } from '../strict-limits.js'
import { isDigit, isRegular, isSpace } from '../syntax/characters.js'

/** Kind of an object as its own dictionary suggests; only a hint. */
export type Shape = (typeof shapes)[keyof typeof shapes]
export const shapes = { other: 0, page: 1, field: 2 } as const

/** The bytes are malformed, or end before the value does. */
export const malformed = -1
export const cut = -2

const code = (character: string): number => character.charCodeAt(0)
const [percent, slash, paren, closingParen, backslash, less, greater, bracket, closingBracket, letterR] = [
  ...'%/()\\<>[]R',
].map(code) as [number, number, number, number, number, number, number, number, number, number]
const hash = code('#')

export interface ScannedBytes {
  readonly bytes: Uint8Array
  readonly from: number
  /** Bytes from here on are not known, or do not exist if `isWhole`. */
  readonly to: number
  /** True if there is nothing but the value, as in an object stream; otherwise a keyword follows it. */
  readonly isWhole: boolean
}

/**
 * Called for each reference. `isStructural`: the reference is below an entry by which pages, fields, annotations and
 * their parts contain each other, or the object is no dictionary. It may also be true for other references.
 */
export type Found = (number: number, isStructural: boolean) => void

const structuralKeys = words('Kids', 'Fields', 'Annots', 'AP', 'Popup', 'V', 'DR')
const pageTypes = words('Page', 'Pages')
const fieldNames = words('FT', 'T', 'Widget')
const typeKey = words('Type')
const constants = words('true', 'false', 'null')
const endings = words('endobj', 'stream')

/** Scans one object after another; `shape` is that of the last one. */
export class ReferenceScanner {
  shape: Shape = shapes.other
  /** Brackets that are open, by the characters that close them. */
  readonly #open = new Uint8Array(2 * strictLimits.depthMax)

  constructor(private readonly found: Found) {}

  /**
   * Calls `found` for every reference of the value that begins at `from`, and perhaps for some in a value that is
   * malformed or cut. What the parser reads as a reference is found; what it refuses may be accepted here. Returns the
   * offset behind the value, `malformed` or `cut`.
   */
  scan({ bytes, from, to, isWhole }: ScannedBytes): number {
    const open = this.#open
    let depth = 0
    let [first, second] = [-1, -1]
    this.shape = shapes.other
    let isType = false
    // True if a name in the outermost dictionary is the value of the key before it.
    let isValueNext = false
    let isStructural = true
    let at = from
    for (;;) {
      at = afterSpace(bytes, at, to)
      if (at >= to) return isWhole ? (depth === 0 ? to : malformed) : cut
      const start = at
      const byte = bytes[at] ?? 0
      if (isRegular(byte)) {
        at = afterRegular(bytes, at, to)
        if (at >= to && !isWhole) return cut
        if (depth === 0 && isOneOf(endings, bytes, start, at)) return start
        if (byte === letterR && at === start + 1) {
          if (first < 0 || second < 0) return malformed
          this.found(first, isStructural)
          first = -1
          second = -1
        } else {
          first = second
          second = integerIn(bytes, start, at)
          if (second === -1 && !isValue(bytes, start, at)) return malformed
        }
        isType = false
        isValueNext = false
        continue
      }
      first = -1
      second = -1
      if (byte === slash) {
        at = afterRegular(bytes, at + 1, to)
        if (depth === 1) {
          if (isType && isOneOf(pageTypes, bytes, start + 1, at)) this.shape = shapes.page
          else if (isOneOf(fieldNames, bytes, start + 1, at)) this.shape = shapes.field
          isType = isOneOf(typeKey, bytes, start + 1, at)
          if (!isValueNext && open[0] === greater) isStructural = isStructuralKey(bytes, start + 1, at)
          isValueNext = !isValueNext
        }
        continue
      }
      isType = false
      isValueNext = false
      if (byte === paren) at = afterString(bytes, at, to)
      else if (byte === closingBracket || (byte === greater && bytes[at + 1] === greater)) {
        if (depth === 0 || open[--depth] !== byte) return malformed
        at += byte === greater ? 2 : 1
      } else if (byte === bracket || (byte === less && at + 1 < to && bytes[at + 1] === less)) {
        if (depth === open.length) return malformed
        if (depth === 0 && byte === less) isStructural = false
        open[depth++] = byte === less ? greater : closingBracket
        at += byte === less ? 2 : 1
      } else if (byte === less) at = bytes.indexOf(greater, at) + 1 || to
      else if (byte === greater && at + 1 >= to && !isWhole) return cut
      else return malformed
    }
  }
}

export function afterSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  for (; at < to; at++) {
    const byte = bytes[at] ?? 0
    if (byte === percent) while (at + 1 < to && bytes[at + 1] !== 10 && bytes[at + 1] !== 13) at++
    else if (!isSpace(byte)) break
  }
  return at
}

export function afterRegular(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isRegular(bytes[at] ?? 0)) at++
  return at
}

function afterString(bytes: Uint8Array, from: number, to: number): number {
  let depth = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte === backslash) at++
    else if (byte === paren) depth++
    else if (byte === closingParen && --depth === 0) return at + 1
  }
  return to
}

/** Returns -1 if there is anything but digits, or too many of them. */
export function integerIn(bytes: Uint8Array, start: number, end: number): number {
  let number = 0
  if (end - start > 15) return -1
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (!isDigit(byte)) return -1
    number = number * 10 + byte - 0x30
  }
  return end > start ? number : -1
}

/** True if a token may be a number or keyword inside a value. */
function isValue(bytes: Uint8Array, start: number, end: number): boolean {
  const byte = bytes[start] ?? 0
  return isDigit(byte) || byte === 0x2b || byte === 0x2d || byte === 0x2e || isOneOf(constants, bytes, start, end)
}

/** True for a structural key. A name with an escape may be any key, so it counts as one. */
function isStructuralKey(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === hash) return true
  return isOneOf(structuralKeys, bytes, start, end)
}

function words(...texts: readonly string[]): readonly Uint8Array[] {
  return texts.map((text) => Buffer.from(text, 'latin1'))
}

function isOneOf(known: readonly Uint8Array[], bytes: Uint8Array, start: number, end: number): boolean {
  for (const word of known) {
    if (word.length !== end - start) continue
    let at = 0
    while (at < word.length && bytes[start + at] === word[at]) at++
    if (at === word.length) return true
  }
  return false
}
