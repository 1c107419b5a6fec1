// Resources that are in state but no longer declared: removed after everything that was applied with their outputs.

import type { Diagnostic } from '../diagnostic.js'
import { diagnostic } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { inputsOf } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import { isObject, type Json, leafKeys, leavesOf } from '../value/tree.js'
import type { DecidedChanges } from './decide-writes.js'
import type { PlanningFacts } from './facts.js'
import { irreversibleText } from './irreversible.js'
import { KnownOutputs } from './outputs.js'
import type { Change } from './plan.js'
import { leftToOther } from './taken-over.js'
import { expandOutputs } from './values.js'

export function decideRemovals(facts: PlanningFacts, writes: readonly Change[]): DecidedChanges {
  const diagnostics: Diagnostic[] = []
  const { rows, resources, mode } = facts
  const users = usersOf(facts.prior.rows)
  const removals = [...rows].filter(([address]) => !resources.has(address))
  const unreplaced = new Set(writes.filter(({ action }) => action !== 'replace').map(({ address }) => address))
  const changes = removals.map(([address, row]): Change => {
    if (row.ownership === 'external' && mode === 'apply') diagnostics.push(stillOwned(address))
    // The object exists as long as its owner, so without a declaration it only stops being managed.
    const owners = row.removeAfter ?? []
    const isKept = owners.length > 0 && owners.every((owner) => unreplaced.has(owner))
    return removal(facts, { address, row, isKept, after: [...(users.get(address) ?? []), ...(row.removeAfter ?? [])] })
  })
  // Searches every text of every object that stays, so it runs only if the plan removes something.
  const holderOf = changes.some(({ action }) => action === 'remove') ? holders(facts, writes) : () => undefined
  const free = sortRemovals(changes).filter((change) => {
    const holder =
      change.action === 'remove' && change.id !== undefined ? holderOf(change.provider, change.id) : undefined
    if (holder !== undefined) diagnostics.push(stillUsed(change, holder))
    return holder === undefined
  })
  return { changes: free, diagnostics }
}

/** Returns the remaining objects that will still contain this id after the plan, whoever wrote it there. */
function holders(
  { project, prior, mode }: PlanningFacts,
  writes: readonly Change[],
): (provider: string, id: string) => Address | undefined {
  if (mode !== 'apply') return () => undefined
  const values = new KnownOutputs(project.variables, prior.rows)
  const written = writes.flatMap(({ address, provider, action, resource, found, leaves }) => {
    const changed = new Set(leaves.map(({ path }) => path))
    const touched = new Set(leaves.flatMap(({ path }) => entriesOn(path)))
    const texts = new Set<string>()
    if (resource) collectTexts(expandOutputs(resource.desired, values), texts)
    // A replaced object is removed with all its content.
    if (found?.type === 'present' && action !== 'replace')
      for (const [path, value] of leavesOf(found.observed)) {
        if (changed.has(path)) continue
        // If an entry is removed, so are the members that the provider added to it; a remaining entry is in the
        // declaration.
        leafKeys(path).forEach((key, index) => {
          if (!touched.has(entriesOn(path)[index] ?? '')) texts.add(key)
        })
        collectTexts(value, texts)
      }
    return [{ address, provider, texts }]
  })
  return (provider, id) => written.find((one) => one.provider === provider && one.texts.has(id))?.address
}

/** Returns every prefix of the path. */
function entriesOn(path: string): readonly string[] {
  const keys = leafKeys(path)
  return keys.map((_, index) => JSON.stringify(keys.slice(0, index + 1)))
}

function collectTexts(value: Json | undefined, texts: Set<string>): void {
  if (typeof value === 'string') texts.add(value)
  else if (Array.isArray(value)) for (const item of value) collectTexts(item, texts)
  else if (isObject(value))
    for (const [key, member] of Object.entries(value)) {
      texts.add(key)
      collectTexts(member, texts)
    }
}

function stillUsed({ address, id }: Change, holder: Address): Diagnostic {
  return diagnostic('plan.still-used', {
    address,
    detail: `${address} (${id}) is no longer declared, and ${holder} still refers to it, so it stays.`,
  })
}

interface UndeclaredRow {
  readonly address: Address
  readonly row: Row
  /** True if it is left behind, because its owner stays. */
  readonly isKept: boolean
  readonly after: readonly Address[]
}

function removal(
  { found, takenOver, connections, registry }: PlanningFacts,
  { address, row, isKept, after }: UndeclaredRow,
): Change {
  const { provider, kind, name } = parseAddress(address)
  const handler = connections.handler(provider, kind, row.api)
  const observed = found.get(address)
  const isNothingLeft = row.id === null || observed?.type === 'gone' || row.ownership === 'external'
  const hasMore = (row.deposed?.length ?? 0) > 0 || row.operation?.type === 'cleanup'
  const otherProject = takenOver.get(address)
  const isForget =
    isKept ||
    otherProject !== undefined ||
    (isNothingLeft && !hasMore) ||
    handler.isStateOnly === true ||
    handler.removal === 'forget' ||
    handler.keeps?.(row) === true
  const irreversible =
    isForget && (isNothingLeft || otherProject !== undefined || handler.removal !== 'forget')
      ? undefined
      : irreversibleText(handler, registry.kinds.get(kind)?.holds)
  return {
    address,
    provider,
    kind,
    name,
    action: isForget ? 'forget' : 'remove',
    cause: observed?.type === 'gone' ? 'gone' : 'intent',
    leaves: [],
    unverified: [],
    notes: otherProject === undefined ? [] : [leftToOther(address, row, otherProject)],
    deposed: row.deposed?.map(({ id }) => id) ?? [],
    after,
    row,
    ...(row.id === null ? {} : { id: row.id }),
    ...(irreversible === undefined ? {} : { irreversible }),
    ...(observed ? { found: observed } : {}),
  }
}

/** Returns the addresses that were applied with outputs of each address. */
export function usersOf(rows: ReadonlyMap<Address, Row>): ReadonlyMap<Address, readonly Address[]> {
  const users = new Map<Address, Address[]>()
  for (const [address, row] of rows)
    for (const used of inputsOf(row)) users.set(used, [...(users.get(used) ?? []), address])
  return users
}

/** Orders users before what they use. */
function sortRemovals(changes: readonly Change[]): readonly Change[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]))
  const sorted = new Map<Address, Change>()
  const visit = (change: Change) => {
    if (sorted.has(change.address)) return
    for (const user of change.after) {
      const other = byAddress.get(user)
      if (other) visit(other)
    }
    sorted.set(change.address, change)
  }
  for (const change of changes) visit(change)
  return [...sorted.values()]
}

function stillOwned(address: Address): Diagnostic {
  return diagnostic('plan.ownership', {
    summary: 'An external reference was removed without releasing it',
    detail: `${address} refers to an existing object that agents never changes, so removing the declaration cannot remove the object.`,
    fix: `Release it: agents state rm ${address}`,
    address,
  })
}
