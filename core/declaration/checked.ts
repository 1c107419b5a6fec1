// Reads a part of the file and checks it against its schema. Every problem is reported at its place.
import { expand } from '../value/placeholder.js'
import type { Json } from '../value/tree.js'
import type { Collector } from './collector.js'
import type { Entry, Nodes } from './nodes.js'
import type { Reader } from './reader.js'
import type { SchemaChecker } from './schema-check.js'
import type { Range } from './source-text.js'
import type { NamedPath, ReadRequest } from './text-reader.js'
import type { UnsetVariables } from './unset.js'
import type { KnownVariables } from './variables.js'

/** Values that all steps of the declaration stage share. */
export interface Stage {
  readonly collector: Collector
  readonly nodes: Nodes
  readonly reader: Reader
  readonly variables: KnownVariables
  readonly checker: SchemaChecker
  readonly unset: UnsetVariables
}

export interface CheckRequest extends ReadRequest {
  readonly address?: string
  /** True if unset variables have stand-in values here and are not reported. */
  readonly hasStandInValues?: boolean
}

export interface CheckContext {
  readonly value: Json
  readonly paths: readonly NamedPath[]
  readonly inserted: ReadonlyMap<string, string>
  /** True if all problems are unknown keys, so that the references can still be checked. */
  readonly isReadable: boolean
  /** True if all problems are unknown keys that mean nothing here, so that rules can judge the rest. */
  readonly isWhole: boolean
}

/** Reads and checks an entry. A key without a value counts as an empty map where a map is expected. */
export function readChecked(stage: Stage, entry: Entry, request: CheckRequest): CheckContext {
  const { collector, nodes, reader, unset } = stage
  const errorsBefore = collector.errorCount
  const read = reader.read(entry.value, request)
  if (!request.hasStandInValues) unset.note(read.unset)
  const value = read.value === null && request.schema.type === 'object' ? {} : read.value
  const seen = read.hasPlaceholders ? withKnownVariables(stage, value) : value
  const { address } = request
  const wrong = stage.checker.check(request.schema, seen)
  for (const { code, at, onKey, detail, fix: ownFix, quotes } of wrong) {
    const range = nodes.locate(entry, at, onKey)
    const fix = quotes === undefined ? ownFix : `Quote it: "${asWritten(collector, range) ?? quotes}".`
    const report = { detail, ...(fix === undefined ? {} : { fix }), ...(address === undefined ? {} : { address }) }
    collector.add(code, range, report)
  }
  const unknownKeys = wrong.filter(({ code, isMissing }) => code === 'declaration.unknown-key' && !isMissing).length
  const errors = collector.errorCount - errorsBefore
  const isReadable = errors === unknownKeys
  const isWhole = isReadable && !wrong.some(({ isMisspelt }) => isMisspelt)
  const { paths, inserted } = read
  return { value, paths, inserted, isReadable, isWhole }
}

/** Returns the value as written in the file, because YAML reads `1.10` as 1.1; undefined for an alias. */
function asWritten({ text }: Collector, [start, end]: Range): string | undefined {
  const written = text.text.slice(start, end)
  return /^[\w.+-]+$/.test(written) ? written : undefined
}

function withKnownVariables({ variables }: Stage, value: Json): Json {
  return expand(value, (found) =>
    found.type === 'variable' ? (variables.value(found.name) ?? found.fallback) : undefined,
  )
}
