// Proposes declarations for remote objects. The bodies are derived repeatedly, until no name changes any more.
import type { Project } from '../plugin/declaration.js'
import type { RemoteIndex } from '../plugin/remote-index.js'
import type { Address } from '../value/address.js'
import { canonical, isObject, type JsonObject } from '../value/tree.js'
import { defaultTargets } from './default-targets.js'
import { addressOf, type Discovered } from './discover.js'
import { NamedObjects } from './remote-index.js'
import type { FolderContent } from './source-folders.js'
import { WrittenText } from './written-text.js'

export interface ObjectBody {
  readonly object: Discovered
  readonly name: string
  /** Body as agents.yaml writes it, without `provider`. */
  readonly body: JsonObject
}

/** A declaration that is to be written. */
export interface Proposal {
  readonly kind: string
  readonly name: string
  readonly body: JsonObject
  /** Pinned provider. Absent: the declaration has the default target. */
  readonly provider?: string
  readonly objects: readonly { readonly address: Address; readonly id: string }[]
}

export interface ProposeRequest {
  readonly names: ReadonlyMap<Discovered, string>
  readonly project: Project
  /** Names of objects that no list contains, by `provider kind id`. */
  readonly unlisted: ReadonlyMap<string, string>
  /** Returns the paths of the local files that the object's declaration uploads, by kind and id. */
  uploads(object: Discovered, name: string): ReadonlyMap<string, string>
  /** Returns the path of a new folder for the content of an object. */
  newFolder(object: Discovered, name: string, content: FolderContent): string
  /** Variables that agents.yaml refers to. */
  readonly used: ReadonlySet<string>
  /** Returns the body of a declaration, as agents.yaml writes it. */
  written(kind: string, name: string): JsonObject | undefined
}

/** An object that agents.yaml cannot declare. */
export interface OmittedObject {
  readonly object: Discovered
  readonly name: string
  /** Reason, which continues a sentence after "because". */
  readonly reason: string
}

export interface Proposals {
  readonly bodies: readonly ObjectBody[]
  readonly leftOut: readonly OmittedObject[]
  /** Proposals for objects that the file does not declare yet. */
  readonly proposals: readonly Proposal[]
  /** New value of `defaults.provider`, if there is none and declarations for all providers are written. */
  readonly defaultProvider?: 'all'
  readonly index: NamedObjects
}

/**
 * Proposes declarations. Renaming or leaving out an object may change others that refer to it, so the proposal is
 * repeated until nothing changes.
 */
export function propose(request: ProposeRequest): Proposals {
  const names = new Map(request.names)
  // Objects without a declaration, to which nothing may refer by name.
  const omitted = new Set<Discovered>()
  const targets = targetsOfNew(request.project)
  for (;;) {
    const { index, bodies, leftOut } = writeBodies(request, names, omitted)
    const newlyOmitted = leftOut.filter(
      ({ object, name }) => !omitted.has(object) && !isDeclared(request.project, object, name),
    )
    if (newlyOmitted.length > 0) {
      for (const { object } of newlyOmitted) omitted.add(object)
      continue
    }
    const groups = groupByName(bodies.filter((one) => !isDeclared(request.project, one.object, one.name)))
    const clashing = groups.find((group) => needsOwnNames(group, request.project, targets))
    if (!clashing) return { bodies, leftOut, index, ...proposalsOf(groups, request.project, targets) }
    for (const { object, name } of clashing) names.set(object, freeName(names, object, `${name}-${object.provider}`))
  }
}

function writeBodies(
  request: ProposeRequest,
  names: ReadonlyMap<Discovered, string>,
  omitted: ReadonlySet<Discovered>,
): {
  readonly index: NamedObjects
  readonly bodies: readonly ObjectBody[]
  readonly leftOut: readonly OmittedObject[]
} {
  const index = new NamedObjects(names, omitted, request.unlisted, request.newFolder)
  const bodies: ObjectBody[] = []
  const leftOut: OmittedObject[] = []
  for (const [object, name] of names) {
    const written = request.written(object.kind, name)
    const text = new WrittenText(written, request.used, request.project.variables)
    const objectIndex = index.indexFor(object, written)
    const secret: RemoteIndex['secret'] = (at, ...words) => text.placeholderFor(objectIndex.secret(at, ...words))
    // Paths are written as they are in the file, with references to variables.
    const folder: RemoteIndex['folder'] = (field) => {
      const path = objectIndex.folder(field)
      return path === undefined ? undefined : text.placeholderFor(path)
    }
    const uploads = request.uploads(object, name)
    const path: RemoteIndex['path'] = (kind, id) => {
      const source = uploads.get(`${kind} ${id}`)
      return source === undefined ? undefined : text.placeholderFor(source)
    }
    const body = object.handler.declare?.(object.object, { ...objectIndex, secret, folder, path })
    if (body) bodies.push({ object, name, body: text.of(body) })
    else
      leftOut.push({
        object,
        name,
        reason: index.reasons.get(object) ?? 'a part of it cannot be declared in agents.yaml',
      })
  }
  return { index, bodies, leftOut }
}

/** True if the file declares the object for this provider. */
export function isDeclared(project: Project, { kind, provider }: Discovered, name: string): boolean {
  return project.find(kind, name)?.providers.names.includes(provider) ?? false
}

function groupByName(bodies: readonly ObjectBody[]): readonly (readonly ObjectBody[])[] {
  const groups = new Map<string, ObjectBody[]>()
  for (const one of bodies) {
    const key = `${one.object.kind} ${one.name}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()]
}

/**
 * True if the objects need different names: their bodies differ, or one of the targets is missing, and the file can
 * have only one declaration for a name.
 */
function needsOwnNames(group: readonly ObjectBody[], project: Project, targets: readonly string[]): boolean {
  const [first] = group
  if (!first) return false
  if (project.find(first.object.kind, first.name)) return true
  if (group.length === 1) return false
  return (
    !haveTheSameBody(group) ||
    !isSame(
      group.map(({ object }) => object.provider),
      targets,
    )
  )
}

/** True if the bodies are equal, or differ only in the model, which may be a map by provider. */
function haveTheSameBody(group: readonly ObjectBody[]): boolean {
  const texts = group.map(({ body: { model: _, ...rest } }) => JSON.stringify(rest, inOrder))
  return new Set(texts).size === 1
}

/** Sorts members for a comparison. Empty values stay, because an empty list of tools differs from a missing one. */
function inOrder(_key: string, value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value
}

function proposalsOf(
  groups: readonly (readonly ObjectBody[])[],
  project: Project,
  targets: readonly string[],
): Pick<Proposals, 'proposals' | 'defaultProvider'> {
  const isNew = targets.length > 1 && defaultTargets(project).length === 0 && groups.some((group) => group.length > 1)
  const plain = isNew ? targets : defaultTargets(project)
  return {
    proposals: groups.map((group) => proposal(group, plain)),
    ...(isNew ? { defaultProvider: 'all' } : {}),
  }
}

function proposal(group: readonly ObjectBody[], targets: readonly string[]): Proposal {
  const [first] = group
  if (!first) throw new Error('sync: a group without objects')
  const { kind } = first.object
  const providers = group.map(({ object }) => object.provider)
  const models = new Set(group.map(({ body }) => canonical(body['model'] ?? null)))
  const byProvider = Object.fromEntries(group.map(({ object, body }) => [object.provider, body['model']]))
  const body = models.size === 1 ? first.body : { ...first.body, model: byProvider }
  const objects = group.map(({ object, name }) => ({ address: addressOf(object, name), id: object.object.id }))
  const isPlain = isSame(providers, targets)
  return { kind, name: first.name, body, objects, ...(isPlain ? {} : { provider: first.object.provider }) }
}

function freeName(names: ReadonlyMap<Discovered, string>, object: Discovered, base: string): string {
  const taken = new Set([...names].flatMap(([other, name]) => (other.kind === object.kind ? [name] : [])))
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base}-${count}`
  return name
}

/**
 * Returns the targets of new declarations without a pin. In a file without a default target no declaration relies on
 * it, so the default may become "all" without moving any.
 */
function targetsOfNew(project: Project): readonly string[] {
  const targets = defaultTargets(project)
  return targets.length > 0 ? targets : [...project.providers.keys()]
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one))
}
