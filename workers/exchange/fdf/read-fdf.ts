// Reads the values of an FDF file (ISO 32000-2, 12.7.8). Its objects are parsed one after the other with the syntax of
// PDF; cross-reference tables are not needed.
import { JobRefusal } from '../../contract/job-refusal.js'
import { textOf } from '../../signatures/reading/text-string.js'
import { MemoryBytes } from '../../strict-reader/bytes/memory-bytes.js'
import { NotStrict } from '../../strict-reader/strict-document.js'
import { parseObject } from '../../strict-reader/syntax/parse-object.js'
import { parseDictionary } from '../../strict-reader/syntax/parse-value.js'
import { Scanner } from '../../strict-reader/syntax/scanner.js'
import type { StrictDictionary, StrictValue } from '../../strict-reader/values.js'
import { dictionaryOf, integerOf, nameOf, ofKind } from '../../strict-reader/values-of.js'
import { exchangeLimits } from '../exchange-limits.js'
import { tooMany } from '../read-source.js'
import type { FileValue } from '../values/file-value.js'
import { FieldValueReader } from './field-value.js'
import { stringDecoder } from './string-encoding.js'

const header = /^%FDF-\d\.\d/
const byNumber = /^\d+$/

/** Throws `InvalidArg` with the offset in bytes, and `PayloadTooLarge`. */
export function readFdf(bytes: Uint8Array): readonly FileValue[] {
  if (!header.test(Buffer.from(bytes.subarray(0, 8)).toString('latin1'))) {
    throw new JobRefusal('InvalidArg', 'The file is no FDF: it does not begin with %FDF-', { offset: 0 })
  }
  try {
    return new FdfFile(bytes).values()
  } catch (error) {
    if (!(error instanceof NotStrict)) throw error
    const { offset = 0 } = error
    throw new JobRefusal('InvalidArg', `The FDF is malformed at byte ${offset}: ${error.message}`, { offset })
  }
}

interface FieldPlace {
  /** Full name of the parent; empty if there is none. */
  readonly above: string
  readonly depth: number
  readonly reader: FieldValueReader
  readonly nameIn: (value: StrictValue | undefined) => string
}

class FdfFile {
  readonly #objects = new Map<number, StrictValue>()
  readonly #values: FileValue[] = []
  readonly #source: MemoryBytes
  readonly #catalog: StrictDictionary
  /** Number of fields that were visited, each as often as something refers to it. */
  #visited = 0

  constructor(bytes: Uint8Array) {
    this.#source = new MemoryBytes(bytes)
    this.#catalog = this.#read(this.#source)
  }

  values(): readonly FileValue[] {
    const fdf = dictionaryOf(this.#resolved(this.#catalog.entries.get('FDF')))
    if (fdf === undefined) throw new NotStrict('the catalog has no /FDF', 0)
    const resolve = (value: StrictValue | undefined) => this.#resolved(value)
    const decode = stringDecoder(nameOf(resolve(fdf.entries.get('Encoding'))))
    const reader = new FieldValueReader({ source: this.#source, decode, resolve })
    const nameIn = (value: StrictValue | undefined): string => {
      const string = resolve(value)
      const bytes = ofKind(string, 'string')?.bytes
      return (bytes && decode(bytes)) ?? textOf(string) ?? ''
    }
    this.#addFields(fdf.entries.get('Fields'), { above: '', depth: 0, reader, nameIn })
    return this.#values
  }

  /** Reads all objects up to the trailer, and returns the catalog. */
  #read(source: MemoryBytes): StrictDictionary {
    const scanner = new Scanner(source, 0)
    for (;;) {
      scanner.skipSpace()
      const start = scanner.at
      const token = scanner.token()
      if (token === 'trailer') break
      if (!byNumber.test(token)) scanner.fail('an object or the trailer is expected', start)
      if (this.#objects.size >= exchangeLimits.objectsMax) {
        throw tooMany('objectsMax', 'The FDF has too many objects', this.#objects.size + 1)
      }
      const lengthOf = (length: StrictValue | undefined) => integerOf(this.#resolved(length)) ?? -1
      const { number, value, end } = parseObject(source, { offset: start, limit: source.sizeBytes, lengthOf })
      this.#objects.set(number, value)
      scanner.at = end
    }
    scanner.skipSpace()
    const trailer = parseDictionary(scanner)
    const catalog = dictionaryOf(this.#resolved(trailer.entries.get('Root')))
    if (catalog === undefined) throw new NotStrict('the trailer has no /Root', scanner.at)
    return catalog
  }

  /** Follows one reference: an object of an FDF is never a reference itself. */
  #resolved(value: StrictValue | undefined): StrictValue | undefined {
    const reference = ofKind(value, 'reference')
    return reference === undefined ? value : this.#objects.get(reference.number)
  }

  #addFields(fields: StrictValue | undefined, place: FieldPlace): void {
    const { above, depth, reader, nameIn } = place
    if (depth > exchangeLimits.fieldDepthMax) {
      throw tooMany('fieldDepthMax', 'The fields of the FDF are nested too deeply', depth)
    }
    for (const one of ofKind(this.#resolved(fields), 'array')?.items ?? []) {
      this.#countField()
      const entries = dictionaryOf(this.#resolved(one))?.entries
      const own = nameIn(entries?.get('T'))
      const name = above === '' ? own : own === '' ? above : `${above}.${own}`
      const value = reader.read(entries?.get('V'))
      if (value !== undefined) this.#values.push({ name, ...value })
      if (entries?.has('Kids')) this.#addFields(entries.get('Kids'), { ...place, above: name, depth: depth + 1 })
    }
  }

  /** Fields that refer to each other would otherwise be visited without end. */
  #countField(): void {
    const { fieldsMax } = exchangeLimits
    if (++this.#visited > fieldsMax) {
      throw tooMany('fieldsMax', `An import has at most ${fieldsMax} fields`, this.#visited)
    }
  }
}
