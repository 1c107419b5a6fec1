// The object that a provider has for one row, as found by a refresh.
import type { Handler, Remote } from '../plugin/handler.js'
import type { Row } from '../state/row.js'
import { isEmpty, type Json, type JsonObject, type LeafPath, leavesOf, type Tree } from '../value/tree.js'

export interface ObservedPart {
  readonly id: string
  readonly remote: Remote
  readonly tree: Tree
}

export interface Present {
  readonly type: 'present'
  readonly id: string
  readonly remote: Remote
  /** Observed tree, normalised, without parts. */
  readonly observed: Tree
  /** All parts of the object by key, including those of others. */
  readonly parts: ReadonlyMap<string, ObservedPart>
}

export type Observation = Present | { readonly type: 'gone' }

export function present(
  handler: Handler,
  id: string,
  remote: Remote,
  parts: ReadonlyMap<string, ObservedPart> = new Map(),
): Present {
  return { type: 'present', id, remote, observed: handler.observed(remote), parts }
}

/**
 * Returns the parts under their keys, those that are gone left out. A part that the row recorded is known by its id: a
 * provider may store what the key is made of in another form than the declared one (the address of an MCP server).
 */
export async function partsByKey(
  { key, id, isGone }: Pick<NonNullable<Handler['parts']>, 'key' | 'id' | 'isGone'>,
  listed: AsyncIterable<Remote>,
  recorded: Row['parts'] = {},
): Promise<ReadonlyMap<string, Remote>> {
  const keys = new Map(Object.entries(recorded).map(([own, partId]) => [partId, own]))
  const ours = new Map<string, Remote>()
  const others = new Map<string, Remote>()
  for await (const remote of listed) {
    if (isGone?.(remote)) continue
    const own = keys.get(id(remote))
    if (own === undefined) others.set(key(remote), remote)
    else ours.set(own, remote)
  }
  return new Map([...others, ...ours])
}

/** Returns all observed leaves; of parts only those in `keys` (ours, and desired ones). */
export function observedLeaves(
  handler: Handler,
  found: Present,
  keys: ReadonlySet<string>,
): ReadonlyMap<LeafPath, Json> {
  if (!handler.parts) return leavesOf(found.observed)
  const branch: Record<string, Json> = {}
  for (const [key, part] of found.parts) if (keys.has(key)) branch[key] = part.tree
  return leavesOf({ ...found.observed, [handler.parts.name]: branch })
}

/** Returns the desired parts of a tree by key, and the tree without them. */
export function splitParts(
  handler: Handler,
  desired: Tree,
): { readonly own: Tree; readonly parts: ReadonlyMap<string, Tree> } {
  const name = handler.parts?.name
  if (name === undefined) return { own: desired, parts: new Map() }
  const { [name]: branch, ...own } = desired
  const entries = Object.entries((branch ?? {}) as JsonObject)
  const parts = entries.flatMap(([key, tree]) => (isEmpty(tree) ? [] : [[key, tree as Tree] as const]))
  return { own, parts: new Map(parts) }
}

/** True if this is the part that the row recorded, and not a new one under the same key. */
export function isOurPart(row: Row | undefined, found: Present, key: string): boolean {
  const id = row?.parts?.[key]
  return id !== undefined && found.parts.get(key)?.id === id
}

/**
 * Returns keys of our parts that are neither desired nor present: a run was interrupted between removing one and
 * recording it.
 */
export function staleParts(
  row: Row | undefined,
  wanted: ReadonlyMap<string, unknown>,
  found: Present,
): readonly string[] {
  return Object.keys(row?.parts ?? {}).filter((key) => !wanted.has(key) && !isOurPart(row, found, key))
}
