// Reserves object numbers for a caller, who names objects with them before they are created. No change assigns a
// reserved number by itself, because they are below the document's `nextObject`. Numbers that were given back come first.
import type { Static } from 'typebox'
import { notReadable } from '../documents/not-readable.js'
import { limits } from '../limits.js'
import type { Authority, DocumentContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import type { ReservedNumbersRow } from '../rows/reserved-numbers.js'
import type { ReservedNumbers } from '../schemas/object-numbers.js'
import { documentLease } from '../storage/removals.js'
import { addHeld, mayHold } from '../storage/share-count.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { putFree, readFree, returnedBy } from './free-numbers.js'
import { joined, type NumberRange, sizeOf, takeFirst } from './ranges.js'
import { countedInOf, isValid, reservedSlotOf } from './slot.js'

/** Rights that a reservation needs: those to create annotations. */
export const reserving = {
  kind: 'document',
  capabilities: ['doc.annotate.modify'],
  orCollab: 'create',
} as const satisfies Authority

export interface Reservation extends Static<typeof ReservedNumbers> {
  /** True if the caller held numbers before that remain valid. */
  readonly isContinued: boolean
}

/** Reserves numbers. Throws `LayerFull`. */
export async function reserveNumbers(context: DocumentContext, count: number): Promise<Reservation> {
  const { deployment, document } = context
  return deployment.leases.hold(documentLease(document.internal), () =>
    transact(deployment, (transaction) => reserveIn(transaction, context, count)),
  )
}

/** Reserves numbers within a transaction. Throws `LayerFull` before anything is put. */
export async function reserveIn(
  transaction: Transaction,
  context: DocumentContext,
  count: number,
): Promise<Reservation> {
  const { deployment, tenant, document } = context
  const { tables, clock } = deployment
  const owner = { tenant: tenant.internal, document: document.internal }
  const slot = reservedSlotOf(context)
  const documentSlot = tables.documents.at([owner.tenant, owner.document])
  const head = await transaction.read(documentSlot)
  if (head?.state !== 'ready') throw notReadable(head)
  const nowMs = clock.now()
  const before = await transaction.read(slot)
  const isContinued = before !== undefined && isValid(before, head, nowMs)
  const returned = before === undefined || isContinued ? [] : returnedBy(before, head)
  const free = [...(await readFree(transaction, tables, { owner, head })), ...returned]
  const held = isContinued ? before.ranges : []
  const { reserved, kept, freeAfter, nextObject } = chooseNumbers(head, { held, free: joined(free) }, count)
  const countedIn = countedInOf(context)
  const row: ReservedNumbersRow = {
    version: head.headVersion,
    ranges: [...kept, ...reserved],
    expiresAt: nowMs + limits.reservedNumbersMs,
    ...(countedIn === undefined ? {} : { countedIn }),
  }
  const change = sizeOf(row.ranges) - sizeOf(held) - (before?.countedIn === undefined ? 0 : sizeOf(returned))
  if (change > 0 && !(await mayHold(transaction, tables, { owner, row, change }))) throw shareFull()
  if (nextObject !== head.nextObject) transaction.put(documentSlot, { ...head, nextObject })
  if (free.length > 0) putFree(transaction, tables, { owner, head, ranges: freeAfter })
  transaction.put(slot, row)
  await addHeld(transaction, tables, { owner, row, change, until: row.expiresAt })
  return { objectNumbers: [...reserved], expiresIn: limits.reservedNumbersMs / 1000, isContinued }
}

interface Available {
  /** Unused ones of the caller. */
  readonly held: readonly NumberRange[]
  /** Those that were given back. */
  readonly free: readonly NumberRange[]
}

/**
 * Chooses numbers. A caller with too many unused ones gets the oldest of them again, so that nobody uses up the numbers of
 * a document without writing to it.
 */
function chooseNumbers({ nextObject }: DocumentRow, { held, free }: Available, count: number) {
  const own = takeFirst(held, Math.max(0, sizeOf(held) + count - limits.reservedNumbersMax))
  const given = takeFirst(free, count - sizeOf(own.taken))
  const missing = count - sizeOf(own.taken) - sizeOf(given.taken)
  if (missing > 0 && nextObject + missing - 1 > limits.reservableNumberMax) {
    throw full('The document has no object numbers left that can be reserved')
  }
  const made = missing > 0 ? [{ first: nextObject, count: missing }] : []
  const reserved = [...own.taken, ...given.taken, ...made]
  return { reserved, kept: own.left, freeAfter: given.left, nextObject: nextObject + missing }
}

const shareFull = (): Refusal => full('The sessions of this share hold as many unused object numbers as they may')

const full = (message: string): Refusal =>
  new Refusal('LayerFull', message, { details: { lastObjectNumber: limits.reservableNumberMax } })
