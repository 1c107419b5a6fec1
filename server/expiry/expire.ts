// Expires uploads that never arrived, revocations of tokens that have expired themselves, view counts of past months, password
// sessions and reserved object numbers. The expiry index determines when; the row itself is read again before it is removed.
import type { Deletions } from '../deletion/deletions.js'
import { uploadBlob } from '../documents/blob-names.js'
import { putFailed } from '../documents/put-failed.js'
import { endReservation } from '../object-numbers/free-numbers.js'
import { isGone } from '../refusals/refusal.js'
import { type DocumentRow, uploadExpired } from '../rows/document.js'
import type { RevocationRow } from '../rows/revocation.js'
import { type ExpiryKind, expiryKinds, subjectsOf } from '../storage/expiries.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease, removeOrLeave } from '../storage/removals.js'
import type { Slot } from '../storage/table.js'
import { transact } from '../storage/transaction.js'
import { revokedUntil } from '../tokens/revoked-until.js'
import { endPasswordSession, forgetRefusals } from './counted-rows.js'
import { endSigning } from './end-signing.js'

export interface ExpiryContext {
  readonly storage: Pick<Storage, 'store' | 'tables' | 'leases' | 'blobs'>
  readonly deletions: Deletions
}

interface Due {
  readonly tenant: string
  readonly subject: string
  readonly nowMs: number
}

const endings: Readonly<Record<ExpiryKind, (context: ExpiryContext, due: Due) => Promise<void>>> = {
  async upload({ storage, deletions }, { tenant, subject, nowMs }) {
    const owner = { tenant, document: subject }
    if (await failUpload(storage, owner, nowMs)) return
    await deletions.deleteDocument(owner, (row) => row.state === 'failed' && isDue(row, nowMs))
  },
  revocation: ({ storage }, { tenant, subject, nowMs }) =>
    endRevocation(storage, storage.tables.revocations.at([tenant, subject]), nowMs),
  view: ({ storage }, { tenant, subject, nowMs }) =>
    removeExpired(storage, storage.tables.views.at([tenant, subject]), nowMs),
  async signing({ storage }, { tenant, subject, nowMs }) {
    const [document = '', id = ''] = subjectsOf(subject)
    await endSigning(storage, { tenant, document, id }, nowMs)
  },
  'password-session'({ storage }, { tenant, subject, nowMs }) {
    const [document = '', id = ''] = subjectsOf(subject)
    return endPasswordSession(storage, { tenant, document, id, nowMs })
  },
  'reserved-numbers'({ storage }, { tenant, subject, nowMs }) {
    const [document = '', id = ''] = subjectsOf(subject)
    return endReservation(storage, { tenant, document, id, nowMs })
  },
  refusals({ storage }, { tenant, subject, nowMs }) {
    const [document = '', id = ''] = subjectsOf(subject)
    return forgetRefusals(storage, { tenant, document, id, nowMs })
  },
  'stored-by'({ storage }, { tenant, subject, nowMs }) {
    const [document = '', id = ''] = subjectsOf(subject)
    const slot = storage.tables.storedBy.at([tenant, document, id])
    return removeDue(storage, slot, ({ expiresAt }) => expiresAt !== null && expiresAt <= nowMs)
  },
  'webhook-delivery'({ storage }, { tenant, subject, nowMs }) {
    const [document = '', webhook = '', delivery = ''] = subjectsOf(subject)
    const slot = storage.tables.webhookDeliveries.at([tenant, document, webhook, delivery])
    return removeDue(storage, slot, ({ removedAt }) => removedAt !== null && removedAt <= nowMs)
  },
}

const isDue = ({ uploadExpiresAt }: DocumentRow, nowMs: number): boolean =>
  uploadExpiresAt !== null && uploadExpiresAt <= nowMs

/**
 * Marks the upload as failed, so that polling clients see the reason. Returns whether it was still awaiting its bytes.
 */
async function failUpload(
  { leases, tables, store, blobs }: ExpiryContext['storage'],
  { tenant, document }: { readonly tenant: string; readonly document: string },
  nowMs: number,
): Promise<boolean> {
  const slot = tables.documents.at([tenant, document])
  // A running commit may finish; it then counts as in time.
  const hasFailed = await leases.hold(documentLease(document), () =>
    transact({ store }, async (transaction) => {
      const row = await transaction.read(slot)
      if (row?.state !== 'pending' || !isDue(row, nowMs)) return false
      await putFailed(tables, transaction, { tenant, document, row, reason: uploadExpired, at: nowMs })
      return true
    }),
  )
  // With several processes, the upload may be resumed and committed before the removal; then the bytes stay until the
  // failed document is deleted.
  if (hasFailed && blobs.isShared !== true) {
    await removeOrLeave(leases, () => blobs.remove({ tenant, document, name: uploadBlob }))
  }
  return hasFailed
}

/** Expires everything that is due; returns the number. */
export async function expireDue(context: ExpiryContext, nowMs: number): Promise<number> {
  let ended = 0
  for await (const { key } of context.storage.tables.expiries.range([], { through: [nowMs] })) {
    const [, name, tenant, subject] = key
    const kind = expiryKinds.find((candidate) => candidate === name)
    if (!kind) continue // A kind of a newer version of this server, which will handle it.
    await unlessGone(endings[kind](context, { tenant, subject, nowMs }))
    ended += 1
  }
  return ended
}

/** Rows of earlier versions contain the time a client requested, which may be before the token expires. */
async function endRevocation(
  storage: ExpiryContext['storage'],
  slot: Slot<RevocationRow>,
  nowMs: number,
): Promise<void> {
  await transact(storage, async (transaction) => {
    const row = await transaction.read(slot)
    if (!row || row.expiresAt > nowMs) return
    const expiresAt = revokedUntil(row.createdAt)
    if (expiresAt > nowMs) transaction.put(slot, { ...row, expiresAt })
    else transaction.remove(slot)
  })
}

const removeExpired = <Row extends { readonly expiresAt: number }>(
  storage: ExpiryContext['storage'],
  slot: Slot<Row>,
  nowMs: number,
): Promise<void> => removeDue(storage, slot, ({ expiresAt }) => expiresAt <= nowMs)

async function removeDue<Row>(
  storage: ExpiryContext['storage'],
  slot: Slot<Row>,
  isDue: (row: Row) => boolean,
): Promise<void> {
  await transact(storage, async (transaction) => {
    const row = await transaction.read(slot)
    if (row && isDue(row)) transaction.remove(slot)
  })
}

/** Ignores a row that was deleted or extended in the meantime. */
async function unlessGone(ending: Promise<void>): Promise<void> {
  try {
    await ending
  } catch (error) {
    if (!isGone(error)) throw error
  }
}
