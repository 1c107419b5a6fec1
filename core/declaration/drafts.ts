// Reads the sections of the file into drafts: declarations that are checked by themselves, but not yet against each
// other.
import { isMap, isScalar } from 'yaml'
import type { Declaration } from '../plugin/declaration.js'
import type { Kind } from '../plugin/kind.js'
import { isObject, type JsonObject } from '../value/tree.js'
import { readChecked, type Stage } from './checked.js'
import { declarationLimits } from './limits.js'
import { nameFault } from './names.js'
import { type Entry, rangeOf } from './nodes.js'
import type { NamedProvider } from './providers.js'
import { viewOf } from './schema-view.js'
import { type Defaults, targetsOf } from './targets.js'
import type { NamedPath, ReadRequest } from './text-reader.js'

export interface Draft {
  readonly kind: Kind
  readonly name: string
  /** Address without the provider, `agent.helper`, because the file is checked once for all providers. */
  readonly address: string
  readonly entry: Entry
  readonly body: JsonObject
  readonly targets: Declaration['providers']
  readonly paths: readonly NamedPath[]
  readonly inserted: NonNullable<Declaration['inserted']>
  /** True if it is valid except for unknown keys. */
  readonly isReadable: boolean
  /** True if rules can judge it, whatever is wrong with its name, its target, its files or keys that mean nothing. */
  readonly isWhole: boolean
}

export interface DraftRequest {
  readonly defaults: Defaults
  readonly named: readonly NamedProvider[]
  readonly canonicalWord: NonNullable<ReadRequest['canonicalWord']>
}

/** Reads every declaration of one section. */
export function readSection(stage: Stage, section: Entry, kind: Kind, request: DraftRequest): readonly Draft[] {
  const { collector, nodes } = stage
  const block = section.value && nodes.resolve(section.value)
  if (!block || (isScalar(block) && block.value === null)) return []
  if (!isMap(block)) {
    const detail = `${section.key} is a map from name to ${kind.kind}.`
    const fix = `Write the name of each ${kind.kind} and a colon, and what it is below.`
    collector.add('declaration.wrong-type', rangeOf(section.value ?? section.keyNode), { detail, fix })
    return []
  }
  return nodes.entries(block).map((entry) => readDraft(stage, entry, kind, request))
}

function readDraft(stage: Stage, entry: Entry, kind: Kind, request: DraftRequest): Draft {
  const { key: name } = entry
  const address = `${kind.kind}.${name}`
  checkName(stage, entry)
  const { canonicalWord } = request
  const { value, paths, inserted, isReadable, isWhole } = readChecked(stage, entry, {
    schema: viewOf(kind.schema),
    canonicalWord,
    address,
  })
  const body = isObject(value) ? value : {}
  const targets = targetsOf(stage, { entry, body }, request)
  return {
    kind,
    name,
    address,
    entry,
    body,
    targets: targets ?? { names: [], by: 'pin' },
    paths,
    inserted,
    isReadable,
    isWhole,
  }
}

function checkName({ collector }: Stage, { key, keyNode }: Entry): void {
  const detail = nameFault(key, declarationLimits.nameLengthMax)
  if (detail !== undefined) collector.add('declaration.invalid-name', rangeOf(keyNode), { detail })
}
