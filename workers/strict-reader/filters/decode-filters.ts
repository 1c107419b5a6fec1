// Decodes the filters of a stream. Image filters are refused, because the strict reader never needs image data.
import { inflateSync } from 'node:zlib'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import type { StrictDictionary, StrictValue } from '../values.js'
import { integerOf, ofKind } from '../values-of.js'
import { decodeAscii85, decodeAsciiHex } from './ascii.js'
import { decodeLzw } from './lzw.js'
import { undoPrediction } from './predictors.js'
import { decodeRunLength } from './run-length.js'

/** Resolves references inside the dictionary of the stream. */
export type Resolve = (value: StrictValue | undefined) => StrictValue

export interface FilterUse {
  readonly name: string
  readonly parameters: StrictDictionary | undefined
}

/** Returns an entry of `/DecodeParms`, or the fallback if it is missing. */
type Parameter = (name: string, fallback: number) => number
type Decode = (bytes: Uint8Array, parameter: Parameter) => Uint8Array

const filters: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['FlateDecode', (bytes, parameter) => predicted(inflate(bytes), parameter)],
  ['LZWDecode', (bytes, parameter) => predicted(decodeLzw(bytes, parameter('EarlyChange', 1)), parameter)],
  ['ASCIIHexDecode', decodeAsciiHex],
  ['ASCII85Decode', decodeAscii85],
  ['RunLengthDecode', decodeRunLength],
  // The bytes are already decrypted.
  ['Crypt', (bytes) => bytes],
])

export function filtersOf(dictionary: StrictDictionary, resolve: Resolve): readonly FilterUse[] {
  if (dictionary.entries.has('F')) throw new NotStrict('The data of a stream is in another file')
  const names = listOf(resolve(dictionary.entries.get('Filter')))
  const parameters = listOf(resolve(dictionary.entries.get('DecodeParms')))
  if (names.length > strictLimits.filtersMax) throw new NotStrict('A stream has too many filters')
  if (parameters.length > names.length) throw new NotStrict('A stream has more parameters than filters')
  return names.map((item, index) => {
    const name = ofKind(resolve(item), 'name')?.name
    const given = resolve(parameters[index])
    const dictionary = ofKind(given, 'dictionary')
    if (name === undefined || (given !== null && dictionary === undefined)) throw new NotStrict('A filter is malformed')
    return { name, parameters: dictionary }
  })
}

export function decodeFilters(bytes: Uint8Array, uses: readonly FilterUse[], resolve: Resolve): Uint8Array {
  return uses.reduce((data, { name, parameters }) => {
    const decode = filters.get(name)
    if (decode === undefined) throw new NotStrict('A filter is not supported')
    return decode(data, (entry, fallback) => {
      const value = resolve(parameters?.entries.get(entry))
      const number = value === null ? fallback : integerOf(value)
      if (number === undefined) throw new NotStrict('A parameter of a filter is not an integer')
      return number
    })
  }, bytes)
}

const listOf = (value: StrictValue): readonly StrictValue[] =>
  value === null ? [] : (ofKind(value, 'array')?.items ?? [value])

function inflate(bytes: Uint8Array): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: strictLimits.decodedBytesMax })
  } catch {
    throw new NotStrict('FlateDecode: the data is damaged, incomplete or too large')
  }
}

const predicted = (bytes: Uint8Array, parameter: Parameter): Uint8Array =>
  undoPrediction(bytes, {
    predictor: parameter('Predictor', 1),
    colors: parameter('Colors', 1),
    bits: parameter('BitsPerComponent', 8),
    columns: parameter('Columns', 1),
  })
