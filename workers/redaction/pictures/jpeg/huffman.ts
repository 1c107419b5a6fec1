// Huffman tables of JPEG (ITU-T T.81, annexes C and K.2): lookup for reading, construction for writing.
import type { HuffmanLookup } from './bit-reader.js'
import { JpegError } from './jpeg-error.js'

const codeBitsMax = 16

/** Number of codes of each length from 1 to 16, and their symbols in order. */
export interface HuffmanTable {
  readonly counts: readonly number[]
  readonly symbols: readonly number[]
}

export function lookupOf({ counts, symbols }: HuffmanTable): HuffmanLookup {
  const lookup = new Uint16Array(1 << codeBitsMax)
  for (const { symbol, length, code } of codesOf({ counts, symbols })) {
    const from = code << (codeBitsMax - length)
    const to = (code + 1) << (codeBitsMax - length)
    if (to > lookup.length) throw new JpegError('A Huffman table has too many codes')
    lookup.fill((length << 8) | symbol, from, to)
  }
  return lookup
}

/** Returns codes and code lengths by symbol, for writing. */
export function encodingOf(table: HuffmanTable): { readonly codes: Uint16Array; readonly lengths: Uint8Array } {
  const [codes, lengths] = [new Uint16Array(256), new Uint8Array(256)]
  for (const { symbol, length, code } of codesOf(table)) {
    codes[symbol] = code
    lengths[symbol] = length
  }
  return { codes, lengths }
}

function* codesOf({ counts, symbols }: HuffmanTable) {
  let [code, place] = [0, 0]
  for (const [index, count] of counts.entries()) {
    for (let one = 0; one < count; one++) yield { symbol: symbols[place++] ?? 0, length: index + 1, code: code++ }
    code <<= 1
  }
}

interface Tree {
  readonly frequency: number
  readonly symbols: readonly number[]
}

/** Placeholder symbol that occupies the all-ones code, which JPEG does not permit. */
const reserved = 256

/** Returns a table with the shortest codes for symbols of these frequencies. */
export function tableFor(frequencies: ArrayLike<number>): HuffmanTable {
  const lengths = new Map<number, number>()
  let trees: Tree[] = [{ frequency: 0, symbols: [reserved] }]
  for (let symbol = 0; symbol < reserved; symbol++) {
    const frequency = frequencies[symbol] ?? 0
    if (frequency > 0) trees.push({ frequency, symbols: [symbol] })
  }
  while (trees.length > 1) {
    trees = trees.toSorted((one, other) => other.frequency - one.frequency)
    const [second, first] = trees.splice(-2)
    if (first === undefined || second === undefined) break
    const symbols = [...first.symbols, ...second.symbols]
    for (const symbol of symbols) lengths.set(symbol, (lengths.get(symbol) ?? 0) + 1)
    trees.push({ frequency: first.frequency + second.frequency, symbols })
  }
  return ordered(lengths)
}

function ordered(lengths: ReadonlyMap<number, number>): HuffmanTable {
  const counts = new Array<number>(Math.max(codeBitsMax, ...lengths.values())).fill(0)
  for (const length of lengths.values()) counts[length - 1] = (counts[length - 1] ?? 0) + 1
  shorten(counts)
  // The placeholder symbol has the longest code.
  const longest = counts.findLastIndex((count) => count > 0)
  if (longest >= 0) counts[longest] = (counts[longest] ?? 0) - 1
  const symbols = [...lengths]
    .filter(([symbol]) => symbol !== reserved)
    .toSorted(([one, length], [other, otherLength]) => length - otherLength || one - other)
    .map(([symbol]) => symbol)
  return { counts: counts.slice(0, codeBitsMax), symbols }
}

/** Shortens pairs of overlong codes by one bit, at the cost of lengthening a shorter code (T.81, figure K.3). */
function shorten(counts: number[]): void {
  for (let length = counts.length - 1; length >= codeBitsMax; length--) {
    while ((counts[length] ?? 0) > 0) {
      let shorter = length - 2
      while ((counts[shorter] ?? 0) === 0) shorter--
      counts[length] = (counts[length] ?? 0) - 2
      counts[length - 1] = (counts[length - 1] ?? 0) + 1
      counts[shorter + 1] = (counts[shorter + 1] ?? 0) + 2
      counts[shorter] = (counts[shorter] ?? 0) - 1
    }
  }
}
