// The reference of agents.yaml: every section with its keys, and what each provider says about them.
import { projectNameText } from '../../core/declaration/project-name.js'
import { viewOf } from '../../core/declaration/schema-view.js'
import { defaultsSchema } from '../../core/declaration/targets.js'
import { capabilityOf } from '../../core/plugin/capabilities.js'
import type { Capability } from '../../core/plugin/capability.js'
import type { Kind } from '../../core/plugin/kind.js'
import type { Provider } from '../../core/plugin/provider.js'
import { capabilityIn, lanesOf } from '../../plugins/kinds/lanes.js'
import { type Key, keysOf } from './keys.js'
import { createProber, type Remark } from './support.js'

/** A part of the file that has keys of its own: the body of a kind, the block of a provider, `defaults`. */
export interface Topic {
  /** Name of the topic: `agent`, `providers.claude`, `defaults`. */
  readonly name: string
  /** Place of the topic in the file: `agents.NAME`. */
  readonly place: string
  /** Other names that find the topic. */
  readonly aliases: readonly string[]
  readonly description: string
  readonly keys: readonly ExplainedKey[]
  /** Support of a kind by each provider, or by each API of one; empty for topics that are not kinds. */
  readonly lanes: readonly LaneSupport[]
  /** Rules that providers and the kind itself check, by code. */
  readonly rules: readonly { readonly code: string; readonly summary: string }[]
}

export interface LaneSupport {
  readonly lane: string
  /** Undefined if the lane does not have the kind. */
  readonly capability: Capability | undefined
  readonly reason: string | undefined
}

export interface ExplainedKey extends Omit<Key, 'members' | 'probe'> {
  readonly members: readonly ExplainedKey[]
  /** Remarks of providers about the key that they do not make about the key around it. */
  readonly remarks: readonly Remark[]
}

export interface ReferenceParts {
  readonly kinds: readonly Kind[]
  readonly providers: readonly Provider[]
}

/** Reads the reference, in the order of the file. */
export function readReference({ kinds, providers }: ReferenceParts): readonly Topic[] {
  const lanes = lanesOf(providers)
  const prober = createProber(kinds, lanes)
  const plain = { lanes: [], rules: [] }
  return [
    {
      ...plain,
      name: 'version',
      place: 'version',
      aliases: [],
      description: 'Version of this format: "1", in quotes. Required. Keys that begin with x- are for your own use.',
      keys: [],
    },
    {
      ...plain,
      name: 'project',
      place: 'project',
      aliases: [],
      description: `${projectNameText.description} ${projectNameText.details}`,
      keys: [],
    },
    ...providers.map(({ name, aliases, title, configuration }) => ({
      ...plain,
      name: `providers.${name}`,
      place: `providers.${name}`,
      aliases: aliases.map((alias) => `providers.${alias}`),
      description: `${title}: how it is reached.`,
      keys: keysOf(viewOf(configuration)).map(withoutRemarks),
    })),
    {
      ...plain,
      name: 'defaults',
      place: 'defaults',
      aliases: [],
      description: 'What holds where a declaration says nothing.',
      keys: keysOf(viewOf(defaultsSchema(kinds))).map(withoutRemarks),
    },
    ...kinds.map(({ kind, section, summary, schema, rules }) => ({
      name: kind,
      place: `${section}.NAME`,
      aliases: [section],
      description: summary,
      keys: keysOf(viewOf(schema)).map((key) => withRemarks(key, (one) => prober.remarks(kind, one), [])),
      lanes: lanes.map((lane) => ({
        lane: lane.name,
        capability: capabilityIn(lane, kind),
        reason: (capabilityIn(lane, kind) ?? capabilityOf(lane.provider, kind, lane.api ?? '')).reason,
      })),
      rules: uniqueRules([
        ...rules,
        ...providers.flatMap((provider) => provider.rules.filter((rule) => rule.kind === kind)),
      ]),
    })),
  ]
}

function withoutRemarks(key: Key): ExplainedKey {
  return withRemarks(key, () => [], [])
}

function withRemarks(key: Key, ask: (key: Key) => readonly Remark[], above: readonly Remark[]): ExplainedKey {
  const { probe: _, members, ...shown } = key
  const isNew = ({ lane, code }: Remark) =>
    !above.some((other) => other.lane === lane && other.code === code && other.values.length === 0)
  const remarks = ask(key).filter(isNew)
  return { ...shown, remarks, members: members.map((member) => withRemarks(member, ask, [...above, ...remarks])) }
}

function uniqueRules(rules: readonly { readonly code: string; readonly summary: string }[]): Topic['rules'] {
  const byCode = new Map(rules.map(({ code, summary }) => [code, { code, summary }]))
  return [...byCode.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
}
