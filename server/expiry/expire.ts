// What ends by itself: uploads that never came, revocations of tokens that have expired anyway, views of past months. The
// expiry index says when; the row itself is asked again before anything goes.
import type { Deletions } from '../deletion/deletions.js'
import { Refusal } from '../errors.js'
import type { Storage } from '../storage/open-storage.js'
import { type ExpiryKind, expiryKinds } from '../storage/row-kinds.js'
import type { Slot } from '../storage/table.js'
import { transact } from '../storage/transaction.js'

export interface Expiring {
  readonly storage: Pick<Storage, 'store' | 'tables' | 'leases'>
  readonly deletions: Deletions
}

interface Due {
  readonly tenant: string
  readonly subject: string
  readonly nowMs: number
}

const endings: Readonly<Record<ExpiryKind, (expiring: Expiring, due: Due) => Promise<void>>> = {
  async upload({ deletions }, { tenant, subject, nowMs }) {
    await deletions.deleteDocument(
      { tenant, document: subject },
      ({ state, uploadExpiresAt }) => state === 'pending' && uploadExpiresAt !== null && uploadExpiresAt <= nowMs,
    )
  },
  revocation: ({ storage }, { tenant, subject, nowMs }) =>
    removeExpired(storage, storage.tables.revocations.at([tenant, subject]), nowMs),
  view: ({ storage }, { tenant, subject, nowMs }) =>
    removeExpired(storage, storage.tables.views.at([tenant, subject]), nowMs),
}

/** Ends everything that is due; answers how much that was. */
export async function expireDue(expiring: Expiring, nowMs: number): Promise<number> {
  let ended = 0
  for await (const { key } of expiring.storage.tables.expiries.range([], { through: [nowMs] })) {
    const [, name, tenant, subject] = key
    const kind = expiryKinds.find((known) => known === name)
    if (!kind) continue // Of a newer version of this server, which will know.
    await unlessGone(endings[kind](expiring, { tenant, subject, nowMs }))
    ended += 1
  }
  return ended
}

async function removeExpired<Row extends { readonly expiresAt: number }>(
  storage: Expiring['storage'],
  slot: Slot<Row>,
  nowMs: number,
): Promise<void> {
  await transact(storage, async (transaction) => {
    const row = await transaction.read(slot)
    if (row && row.expiresAt <= nowMs) transaction.remove(slot)
  })
}

/** Somebody was faster: it was deleted, or given more time. */
async function unlessGone(ending: Promise<void>): Promise<void> {
  try {
    await ending
  } catch (error) {
    if (!(error instanceof Refusal && error.code === 'NotFound')) throw error
  }
}
