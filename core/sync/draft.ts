// The body of a declaration while it is changed, in the smallest steps, to what the providers have.
import { canonical, isObject, type Json, type JsonObject, ownMember } from '../value/tree.js'
import { identityOf, memberAt, withMember } from './members.js'
import { asWritten, retainsVariables } from './written-text.js'

/** A value in two forms: as the program reads it, and as agents.yaml writes it. */
export interface LoadedAndWritten {
  readonly loaded: Json
  readonly written: Json
}

export interface DraftEdit {
  readonly path: readonly string[]
  /** Value as agents.yaml writes it; undefined removes the key. */
  readonly value: Json | undefined
}

export interface DraftRequest {
  /** The declaration as the program reads it. */
  readonly body: JsonObject
  /** Value as it is in the file. */
  readonly written: JsonObject
  /** Returns the number of differences between a body and what the providers have; infinite for an invalid body. */
  distance(body: JsonObject): Promise<number>
  /** Values inserted for variables while the declaration was read. */
  readonly inserted: ReadonlyMap<string, string>
  /** True if the body contains a known secret in plain text, or the value of a variable in `before`. */
  revealsSecret(body: JsonObject, before: JsonObject): boolean
}

export class Draft {
  /** Value as the program would read it. */
  body: JsonObject
  private written: JsonObject
  private left = Number.POSITIVE_INFINITY
  private readonly changed = new Map<string, DraftEdit>()
  /** Paths of variables whose values differ from the provider's. */
  readonly retained = new Set<string>()

  private constructor(private readonly request: DraftRequest) {
    this.body = request.body
    this.written = request.written
  }

  static async of(request: DraftRequest): Promise<Draft> {
    const draft = new Draft(request)
    draft.left = await request.distance(request.body)
    return draft
  }

  get edits(): readonly DraftEdit[] {
    return [...this.changed.values()]
  }

  /** Accepts the parts of a provider's proposal that reduce the differences. */
  async take(path: readonly string[], written: LoadedAndWritten | undefined): Promise<void> {
    const current = memberAt(this.body, path)
    if (this.left === 0 || canonical(written?.loaded ?? null) === canonical(current ?? null)) return
    const isList = written && Array.isArray(written.loaded) && Array.isArray(current)
    if (written && isObject(written.loaded) && isObject(current)) await this.takeMembers(path, written, current)
    else await this.offer(path, isList ? await this.mergedList(path, written) : written)
  }

  private async takeMembers(path: readonly string[], written: LoadedAndWritten, current: JsonObject): Promise<void> {
    const { loaded } = written
    const keys = new Set([...Object.keys(current), ...(isObject(loaded) ? Object.keys(loaded) : [])])
    for (let before = Number.POSITIVE_INFINITY; this.left > 0 && this.left < before; ) {
      before = this.left
      for (const key of keys) await this.take([...path, key], memberOf(written, key))
    }
    // These members can only be changed together.
    const now = memberAt(this.body, path)
    if (path.length > 0 && this.left > 0 && canonical(now ?? null) !== canonical(loaded))
      await this.offer(path, written)
  }

  private async offer(path: readonly string[], written: LoadedAndWritten | undefined): Promise<void> {
    // What only a merged map has cannot be removed here, and others may share that map.
    const isElsewhere = path.length === 1 && memberAt(this.written, path) === undefined
    if (written === undefined && isElsewhere) return
    const candidate = withMember(this.body, path, written?.loaded)
    const left = await this.request.distance(candidate)
    if (left >= this.left) return
    const isRetained = !retainsVariables(memberAt(this.written, path), written?.written)
    if (isRetained || this.request.revealsSecret(candidate, this.body)) {
      this.retained.add(path.join('.'))
      return
    }
    const before = this.body
    this.body = candidate
    this.left = left
    this.record(before, path, written)
  }

  /** Returns the list of the provider. Items with the same meaning are written as in the file. */
  private async mergedList(path: readonly string[], proposal: LoadedAndWritten): Promise<LoadedAndWritten> {
    const theirs = itemsOf(proposal)
    const ours = this.itemsAt(path)
    const distance = (items: readonly LoadedAndWritten[]) =>
      this.request.distance(
        withMember(
          this.body,
          path,
          items.map(({ loaded }) => loaded),
        ),
      )
    const enough = await distance(theirs)
    if (enough >= this.left) return proposal
    const retained = new Map<number, LoadedAndWritten>()
    const items = [...theirs]
    for (const [index, item] of theirs.entries()) {
      const waiting = [...ours.entries()].filter(([place]) => !retained.has(place))
      const equal = waiting.find(([, own]) => canonical(own.loaded) === canonical(item.loaded))
      for (const [place, own] of equal ? [equal] : waiting) {
        const variant = await firstOf([own, completed(item, own)], async (one) => {
          if (one === undefined) return false
          return (await distance(items.with(index, one))) <= enough
        })
        if (variant === undefined) continue
        items[index] = variant
        retained.set(place, variant)
        break
      }
    }
    const order = [...retained].sort(([one], [other]) => one - other).map(([, item]) => item)
    const inOrder = [...order, ...items.filter((item) => !order.includes(item))]
    const merged = (await distance(inOrder)) <= enough ? inOrder : items
    return { loaded: merged.map(({ loaded }) => loaded), written: merged.map(({ written }) => written) }
  }

  private itemsAt(path: readonly string[]): readonly LoadedAndWritten[] {
    const loaded = memberAt(this.body, path)
    const written = memberAt(this.written, path)
    if (!Array.isArray(loaded)) return []
    // A value that the file does not contain literally (from a merged map, or under an alias) is written in full.
    const isParallel = Array.isArray(written) && written.length === loaded.length
    return loaded.map((item: Json, index) => ({
      loaded: item,
      written:
        (isParallel ? (written[index] as Json | undefined) : undefined) ?? asWritten(item, this.request.inserted),
    }))
  }

  private record(before: JsonObject, path: readonly string[], written: LoadedAndWritten | undefined): void {
    const parent = path.slice(0, -1)
    const [last = ''] = path.slice(-1)
    const currentInFile = memberAt(this.written, parent)
    const isElsewhere =
      memberAt(before, path) !== undefined && !(isObject(currentInFile) && currentInFile[last] !== undefined)
    // A map must keep a member: without any, it would be null in YAML.
    const isLast = written === undefined && Object.keys(memberAt(this.body, parent) ?? {}).length === 0
    if (parent.length > 0 && (isElsewhere || isLast)) {
      const whole = memberAt(this.body, parent) ?? {}
      this.record(before, parent, { loaded: whole, written: asWritten(whole, this.request.inserted) })
      return
    }
    this.written = withMember(this.written, path, written?.written)
    for (const [key, edit] of this.changed) {
      if (isBelow(edit.path, path)) this.changed.delete(key)
      if (edit.path.length < path.length && isBelow(path, edit.path)) {
        this.changed.set(key, { path: edit.path, value: memberAt(this.written, edit.path) })
        return
      }
    }
    this.changed.set(JSON.stringify(path), { path, value: written?.written })
  }
}

function memberOf({ loaded, written }: LoadedAndWritten, key: string): LoadedAndWritten | undefined {
  const member = isObject(loaded) ? ownMember(loaded, key) : undefined
  return member === undefined ? undefined : { loaded: member, written: memberAt(written, [key]) ?? asWritten(member) }
}

function itemsOf({ loaded, written }: LoadedAndWritten): readonly LoadedAndWritten[] {
  const writings: readonly Json[] = Array.isArray(written) ? written : []
  return Array.isArray(loaded)
    ? loaded.map((item: Json, index) => ({ loaded: item, written: writings[index] ?? asWritten(item) }))
    : []
}

/** Adds members that only the file has to a provider's item (a transport that no answer contains). */
function completed(theirs: LoadedAndWritten, own: LoadedAndWritten): LoadedAndWritten | undefined {
  const identity = identityOf(theirs.loaded)
  if (identity === undefined || identity !== identityOf(own.loaded)) return undefined
  const whole = (first: Json, second: Json) =>
    isObject(first) && isObject(second) ? { ...first, ...second } : undefined
  const loaded = whole(own.loaded, theirs.loaded)
  const written = whole(own.written, theirs.written)
  return loaded && written && { loaded, written }
}

async function firstOf<Item>(
  items: readonly (Item | undefined)[],
  isIt: (item: Item | undefined) => Promise<boolean>,
): Promise<Item | undefined> {
  for (const item of items) if (await isIt(item)) return item
  return undefined
}

function isBelow(path: readonly string[], other: readonly string[]): boolean {
  return other.every((key, index) => path[index] === key)
}
