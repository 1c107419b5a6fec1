// From remote objects to declarations: handlers say bodies until every name is settled.
import type { Project } from '../declaration/declaration.js'
import type { Address } from '../graph/address.js'
import type { RemoteIndex } from '../plugin/handler.js'
import { canonical, type JsonObject } from '../value/tree.js'
import { addressOf, type Discovered } from './discover.js'
import { NamedObjects } from './remote-index.js'
import { WrittenText } from './written-text.js'

export interface Said {
  readonly object: Discovered
  readonly name: string
  /** As agents.yaml writes it, without `provider`. */
  readonly body: JsonObject
}

/** One declaration to be written. */
export interface Proposal {
  readonly kind: string
  readonly name: string
  readonly body: JsonObject
  /** Absent: it goes where the default target is. */
  readonly provider?: string
  readonly objects: readonly { readonly address: Address; readonly id: string }[]
}

export interface SayRequest {
  readonly names: ReadonlyMap<Discovered, string>
  readonly project: Project
  /** The body of a declaration as the file has it. */
  written(kind: string, name: string): JsonObject | undefined
}

export interface Sayings {
  readonly said: readonly Said[]
  /** Of objects that the file does not declare yet. */
  readonly proposals: readonly Proposal[]
  readonly index: NamedObjects
}

/** Renaming objects may make others that refer to them differ as well, so it goes on until nothing clashes. */
export function say(request: SayRequest): Sayings {
  const names = new Map(request.names)
  for (;;) {
    const index = new NamedObjects(names)
    const said = [...names].flatMap(([object, name]): readonly Said[] => {
      const written = request.written(object.kind, name)
      const text = new WrittenText(written, request.project.variables)
      const asked = index.indexFor(object, written)
      const secret: RemoteIndex['secret'] = (at, ...words) => text.hold(asked.secret(at, ...words))
      const body = object.handler.declare?.(object.object, { ...asked, secret })
      return body ? [{ object, name, body: text.of(body) }] : []
    })
    const groups = groupByName(said.filter((one) => !isDeclared(request.project, one.object, one.name)))
    const clashing = groups.find((group) => needsOwnNames(group, request.project))
    if (!clashing) return { said, index, proposals: groups.map((group) => proposal(group, request.project)) }
    for (const { object, name } of clashing) names.set(object, freeName(names, object, `${name}-${object.provider}`))
  }
}

/** The file declares it, for this provider. */
export function isDeclared(project: Project, { kind, provider }: Discovered, name: string): boolean {
  return project.find(kind, name)?.providers.names.includes(provider) ?? false
}

function groupByName(said: readonly Said[]): readonly (readonly Said[])[] {
  const groups = new Map<string, Said[]>()
  for (const one of said) {
    const key = `${one.object.kind} ${one.name}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

/** The file holds one declaration per name: objects that say different things, or miss a target, get names of their own. */
function needsOwnNames(group: readonly Said[], project: Project): boolean {
  const [first] = group
  if (!first) return false
  if (project.find(first.object.kind, first.name)) return true
  if (group.length === 1) return false
  return (
    !sayTheSame(group) ||
    !isSame(
      group.map(({ object }) => object.provider),
      defaultTargets(project),
    )
  )
}

/** Equal, or different only in the model, which may be a map by provider. */
function sayTheSame(group: readonly Said[]): boolean {
  const texts = group.map(({ body: { model: _, ...rest } }) => canonical(rest))
  return new Set(texts).size === 1
}

function proposal(group: readonly Said[], project: Project): Proposal {
  const [first] = group
  if (!first) throw new Error('sync: a group without objects')
  const { kind } = first.object
  const providers = group.map(({ object }) => object.provider)
  const models = new Set(group.map(({ body }) => canonical(body['model'] ?? null)))
  const byProvider = Object.fromEntries(group.map(({ object, body }) => [object.provider, body['model']]))
  const body = models.size === 1 ? first.body : { ...first.body, model: byProvider }
  const objects = group.map(({ object, name }) => ({ address: addressOf(object, name), id: object.object.id }))
  const isPlain = isSame(providers, defaultTargets(project))
  return { kind, name: first.name, body, objects, ...(isPlain ? {} : { provider: first.object.provider }) }
}

function freeName(names: ReadonlyMap<Discovered, string>, object: Discovered, base: string): string {
  const taken = new Set([...names].flatMap(([other, name]) => (other.kind === object.kind ? [name] : [])))
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base}-${count}`
  return name
}

function defaultTargets({ defaults, providers }: Project): readonly string[] {
  if (defaults.provider === 'all') return [...providers.keys()]
  if (defaults.provider !== undefined) return [defaults.provider]
  return providers.size === 1 ? [...providers.keys()] : []
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}
