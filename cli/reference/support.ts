// Determines how each provider treats a key, by asking its rules about the smallest declaration with and without it.

import { createProject } from '../../core/declaration/project.js'
import { viewOf } from '../../core/declaration/schema-view.js'
import { KnownVariables } from '../../core/declaration/variables.js'
import type { Severity } from '../../core/diagnostic.js'
import type { Declaration, Project } from '../../core/plugin/declaration.js'
import type { Kind } from '../../core/plugin/kind.js'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'
import { bodyIn, capabilityIn, type Lane } from '../../plugins/kinds/lanes.js'
import { anyProvider, type Key } from './keys.js'
import { sampleMap, sampleName } from './sample.js'

/** Remark of one provider, or one of its APIs, about a key. */
export interface Remark {
  readonly lane: string
  /** `error`: refused. `warning`, `note`: not applied as written. */
  readonly severity: Severity
  readonly code: string
  readonly text: string
  /** Values that the remark is about, if it is not about all of them. */
  readonly values: readonly Json[]
}

export interface Prober {
  remarks(kind: string, key: Key): readonly Remark[]
}

export function createProber(kinds: readonly Kind[], lanes: readonly Lane[]): Prober {
  const worlds = lanes.map((lane) => ({ lane, project: projectIn(lane, kinds) }))
  return {
    remarks: (kind, key) =>
      worlds
        .filter(({ lane }) => capabilityIn(lane, kind) !== undefined)
        .flatMap(({ lane, project }) => remarksIn({ lane, project, kind }, key)),
  }
}

interface World {
  readonly lane: Lane
  readonly project: Project
  readonly kind: string
}

function remarksIn(world: World, { probe }: Key): readonly Remark[] {
  const before = new Set(findingsOf(world, probe.without).map(({ id }) => id))
  const found = new Map<string, { readonly remark: Remark; readonly values: Json[] }>()
  for (const value of probe.values) {
    for (const { id, code, severity, text } of findingsOf(world, probe.with(value))) {
      if (before.has(id)) continue
      const remark = { lane: world.lane.name, severity, code, text, values: [] }
      const known = found.get(code) ?? { remark, values: [] }
      found.set(code, known)
      if (!known.values.includes(value)) known.values.push(value)
    }
  }
  const remarks = [...found.values()].map(({ remark, values }) => ({
    ...remark,
    values: values.length < probe.values.length ? values : [],
  }))
  return probe.hasForms ? remarks.filter(({ values }) => values.length === 0) : remarks
}

interface SupportFinding {
  /** Text that is equal for equal findings. */
  readonly id: string
  readonly code: string
  readonly severity: Severity
  readonly text: string
}

function findingsOf({ lane, project, kind }: World, written: JsonObject): readonly SupportFinding[] {
  const { provider, api = '' } = lane
  const filled = withProvider(written, provider.name)
  const declaration = declarationOf(lane, kind, isObject(filled) ? filled : {})
  return provider.rules
    .filter((rule) => rule.kind === kind && rule.phase === 'declaration')
    .flatMap((rule) =>
      [...rule.check({ declaration, project, provider: provider.name, api })].map(({ at, detail }) => ({
        id: `${rule.code} ${at.join('/')}`,
        code: rule.code,
        severity: rule.severity,
        text: detail,
      })),
    )
}

/** Creates a project with a declaration of every kind the lane has, so that references resolve. */
function projectIn(lane: Lane, kinds: readonly Kind[]): Project {
  const declared = kinds.filter(({ kind }) => capabilityIn(lane, kind) !== undefined)
  const { name } = lane.provider
  return createProject({
    file: '/project/agents.yaml',
    folder: '/project',
    providers: new Map([[name, { name, configuration: {} }]]),
    defaults: { provider: name, ...Object.fromEntries(declared.map(({ kind }) => [kind, sampleName])) },
    declarations: declared.map(({ kind, schema }) => declarationOf(lane, kind, sampleMap(viewOf(schema)))),
    variables: new KnownVariables({}, new Map()),
  })
}

function declarationOf(lane: Lane, kind: string, body: JsonObject): Declaration {
  return {
    kind,
    name: sampleName,
    body: bodyIn(lane, kind, body),
    providers: { names: [lane.provider.name], by: 'pin' },
    sources: new Map(),
  }
}

function withProvider(value: Json, name: string): Json {
  if (Array.isArray(value)) return value.map((item) => withProvider(item, name))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      member === undefined ? [] : [[key === anyProvider ? name : key, withProvider(member, name)] as const],
    ),
  )
}
