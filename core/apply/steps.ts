// Orders the steps of an apply: a write comes after the writes it depends on, and a removal after everything that used
// its object.

import type { WalkNode } from '../graph/walk.js'
import type { Change, Plan } from '../plan/plan.js'
import { inputsOf } from '../state/row.js'
import type { Address } from '../value/address.js'

/**
 * Step of an apply. `write` leaves an object behind, `remove` removes the resource, `clean` removes replaced objects
 * afterwards, `record` only records what was found.
 */
export interface Step extends WalkNode {
  readonly type: 'write' | 'remove' | 'clean' | 'record'
  readonly change: Change
}

export function stepsOf({ changes, mode }: Pick<Plan, 'changes' | 'mode'>): ReadonlyMap<string, Step> {
  if (mode === 'refresh') return recordsOf(changes)
  const changing = changes.filter(({ action }) => action !== 'none')
  const main = new Map(
    changing.map((change) => [change.address, `${isRemoval(change) ? 'remove' : 'write'} ${change.address}`]),
  )
  const removals = new Map(changing.filter(isRemoval).map(({ address }) => [address, `remove ${address}`]))
  const users = usersAmong(changes)
  const cleaned = new Set(changing.filter(leavesOld).map(({ address }) => address))
  const steps = new Map<string, Step>()
  for (const change of changing) {
    const id = main.get(change.address) ?? ''
    // A resource that must be gone first may be replaced or removed.
    const ownersGone = ownersOf(change).flatMap((address) =>
      cleaned.has(address) ? `clean ${address}` : (removals.get(address) ?? []),
    )
    const before = change.after.flatMap((address) => main.get(address) ?? [])
    const after = isRemoval(change) ? [...before, ...ownersGone] : before
    steps.set(id, { type: isRemoval(change) ? 'remove' : 'write', change, after, group: change.provider })
    if (leavesOld(change)) {
      // The replaced object of a user still refers to the replaced object of this resource.
      const usersDone = (users.get(change.address) ?? []).flatMap((address) =>
        cleaned.has(address) ? [main.get(address) ?? [], `clean ${address}`].flat() : (main.get(address) ?? []),
      )
      steps.set(`clean ${change.address}`, {
        type: 'clean',
        change,
        after: [id, ...usersDone, ...ownersGone],
        group: change.provider,
      })
    }
  }
  return steps
}

function recordsOf(changes: readonly Change[]): ReadonlyMap<string, Step> {
  const changing = changes.filter(({ action }) => action !== 'none')
  return new Map(
    changing.map((change) => {
      const type = isRemoval(change) ? 'remove' : 'record'
      return [`${type} ${change.address}`, { type, change, after: [], group: change.provider }]
    }),
  )
}

/** True if the change replaces objects, which are removed in a separate step. */
function leavesOld(change: Change): boolean {
  return !isRemoval(change) && (change.action === 'replace' || change.deposed.length > 0)
}

export function isRemoval({ action }: Change): boolean {
  return action === 'remove' || action === 'forget'
}

/** Returns the addresses that must be gone before the change removes anything. */
function ownersOf({ resource, row }: Change): readonly Address[] {
  return [...new Set([...(resource?.removeAfter ?? []), ...(row?.removeAfter ?? [])])]
}

/** Returns the users of each address, by current declarations and by earlier applies. */
function usersAmong(changes: readonly Change[]): ReadonlyMap<Address, readonly Address[]> {
  const users = new Map<Address, Address[]>()
  // A user that is removed after the resource it uses does not delay that removal.
  for (const change of changes)
    for (const used of new Set([...(change.resource?.dependencies ?? []), ...inputsOf(change.row)]))
      if (!ownersOf(change).includes(used)) users.set(used, [...(users.get(used) ?? []), change.address])
  return users
}
