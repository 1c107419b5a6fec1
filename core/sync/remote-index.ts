// Answers the questions of handlers that convert a remote object into a declaration: names, folders and texts of
// secrets.
import type { RemoteIndex } from '../plugin/remote-index.js'
import type { Outputs } from '../plugin/scope.js'
import { isObject, type Json, type JsonObject, ownMember } from '../value/tree.js'
import type { Discovered } from './discover.js'
import { identityOf } from './members.js'
import type { FolderContent } from './source-folders.js'

export class NamedObjects {
  private readonly byId = new Map<string, Discovered>()
  /** Requested ids that belong to no listed object, as `provider kind id`. */
  readonly unknown = new Set<string>()
  /** Requested objects of ours that have no logical name. */
  readonly nameless = new Set<Discovered>()
  /** Objects of ours that others of their kind refer to and that will not be declared. */
  readonly undeclared = new Set<Discovered>()
  /** Reasons why objects cannot be declared, as reported by their handlers. */
  readonly reasons = new Map<Discovered, string>()

  constructor(
    readonly names: ReadonlyMap<Discovered, string>,
    /** Objects that will have no declaration, so that nothing may refer to them by name. */
    private readonly omitted: ReadonlySet<Discovered> = new Set(),
    /** Names of objects that no list contains, by `provider kind id`. */
    private readonly unlisted: ReadonlyMap<string, string> = new Map(),
    /** Returns the path of a new folder for the content of an object. */
    private readonly newFolder?: (object: Discovered, name: string, content: FolderContent) => string,
  ) {
    for (const object of names.keys()) this.byId.set(keyOf(object.provider, object.kind, object.object.id), object)
  }

  /** Creates the index for an object. `written`: its body in the file, with references to variables. */
  indexFor(object: Discovered, written: JsonObject | undefined): RemoteIndex {
    return {
      self: this.names.get(object) ?? '',
      name: (kind, id) => this.nameOf(object, kind, id),
      // The next apply updates a declaration that refers to another one by name; the current version in the file would
      // pin it.
      isAt: (kind, id, outputs) => written !== undefined || this.isAt(keyOf(object.provider, kind, id), outputs),
      folder: (field) => this.folderOf(object, written?.[field]),
      secret: (at, ...words) => secretWritten(written, at) ?? `\${${variableName(words)}}`,
      isWritten: (at) => valueWritten(written, at) !== undefined,
      nameWritten: (field, says) => nameWritten(written?.[field], says),
      cannotSay: (reason) => void this.reasons.set(object, reason),
    }
  }

  private isAt(key: string, wanted: Readonly<Record<string, string>>): boolean {
    const found = this.byId.get(key)
    return !found || areAmong(wanted, found.handler.outputs(found.object.remote))
  }

  private folderOf(object: Discovered, written: Json | undefined): string | undefined {
    const { content } = object
    if (content?.type === 'content') {
      const name = this.names.get(object) ?? ''
      return typeof written === 'string' ? written : this.newFolder?.(object, name, content)
    }
    if (content) this.reasons.set(object, content.reason)
    return undefined
  }

  private nameOf(object: Discovered, kind: string, id: string): string | undefined {
    const key = keyOf(object.provider, kind, id)
    const found = this.byId.get(key)
    if (!found) {
      const name = this.unlisted.get(key)
      if (name === undefined) this.unknown.add(key)
      return name
    }
    // Objects of the same kind are referred to by name only if they are ours (agent configuration 2.15 rule 10).
    if (kind === object.kind && !found.isOurs) return undefined
    if (this.omitted.has(found)) {
      if (kind === object.kind) this.undeclared.add(found)
      return undefined
    }
    if (found.isOurs && found.address === undefined && found.markedName === undefined) this.nameless.add(found)
    return this.names.get(found)
  }
}

export function areAmong(wanted: Partial<Outputs>, outputs: Partial<Outputs>): boolean {
  return Object.entries(wanted).every(([output, value]) => outputs[output] === value)
}

/** Returns a variable name of letters, digits and underscores, which shells accept. */
export function variableName(words: readonly string[]): string {
  const name = words
    .join('_')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
  return /^[A-Z]/.test(name) ? name : `SECRET_${name}`
}

function secretWritten(body: Json | undefined, at: readonly string[]): string | undefined {
  const found = valueWritten(body, at)
  return typeof found === 'string' ? found : undefined
}

/** Returns the value at a path in the file; items of lists are found by their names or addresses. */
function valueWritten(body: Json | undefined, at: readonly string[]): Json | undefined {
  let current: Json | undefined = body
  for (const key of at) {
    if (Array.isArray(current)) current = current.find((item) => identityOf(item) === key)
    else current = isObject(current) ? ownMember(current, key) : undefined
  }
  return current
}

function nameWritten(items: Json | undefined, says: JsonObject): string | undefined {
  const known = Array.isArray(items) ? items.filter(isObject) : []
  const found = known.find((item) => Object.entries(says).every(([key, value]) => item[key] === value))
  return typeof found?.['name'] === 'string' ? found['name'] : undefined
}

function keyOf(provider: string, kind: string, id: string): string {
  return `${provider} ${kind} ${id}`
}
