// Remembers the newest refused changes of a credential in a layer, in bounded space: shares have any number of visitors, so
// their sessions count together. Rows have digests and codes; the texts of the answers are in the memory of this process,
// for those who repeat a request whose answer was lost.
import { callerKeyOf, credentialKeyOf } from '../auth/caller-key.js'
import type { CacheKey } from '../caches/cache.js'
import { limits } from '../limits.js'
import type { DocumentContext } from '../operation/operation.js'
import { StorageFull } from '../operation/storage-bounds.js'
import { Refusal } from '../refusals/refusal.js'
import { type RefusalsRow, type RefusedChange, storedRefusals } from '../rows/refusals.js'
import { rowKinds } from '../storage/row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Slot } from '../storage/table.js'
import type { Transaction } from '../storage/transaction.js'
import { withheldIn } from './answers.js'
import type { ChangeState } from './state.js'

export interface SentChange {
  readonly opId: string
  readonly requestHash: string
}

export const isStoredRefusal = (refusal: Refusal): boolean =>
  !(refusal instanceof StorageFull) && storedRefusals.some((stored) => stored === refusal.code)

export function refusalsSlotOf({
  deployment,
  tenant,
  document,
  layerName,
  caller,
}: DocumentContext): Slot<RefusalsRow> {
  const place = JSON.stringify(['refusals', document.internal, layerName, credentialKeyOf(caller)])
  return deployment.tables.refusals.at([tenant.internal, document.internal, deployment.sealing.fingerprint(place)])
}

/** Returns the refusal of the change with this opId; undefined if there is none, or it was forgotten. */
export async function rememberedRefusal(
  state: ChangeState,
  row: RefusalsRow | undefined,
  { opId, requestHash }: SentChange,
): Promise<Refusal | undefined> {
  if (row === undefined) return undefined
  const { deployment } = state.context
  const id = idOf(state.context, opId)
  const found = (await refusedIn(state, row)).find(([known]) => known === id)
  if (found === undefined) return undefined
  const [, request, , code] = found
  if (request !== digestOf(requestHash)) return reused()
  return deployment.caches.refusals.get(textKeyOf(state, found)) ?? new Refusal(code, refusedBefore)
}

const refusedBefore =
  'This change was refused before, for the reason that the code names; under a new opId it is judged again'

export const reused = (): Refusal =>
  new Refusal('IdempotencyKeyReused', 'This opId or Idempotency-Key was used for a different change')

/** Puts the refusal into the transaction; the oldest ones make room for it. `refusal`: with bounded texts. */
export async function rememberRefusal(
  transaction: Transaction,
  state: ChangeState,
  { opId, requestHash, refusal }: SentChange & { readonly refusal: Refusal },
): Promise<void> {
  const { context, document, owner } = state
  const { deployment } = context
  const code = storedRefusals.find((stored) => stored === refusal.code)
  if (code === undefined) throw new Error(`${refusal.code} is not a stored refusal`)
  const slot = refusalsSlotOf(context)
  const before = await transaction.read(slot)
  const added: RefusedChange = [idOf(context, opId), digestOf(requestHash), document.auditId, code]
  const changes = [...(before ? await refusedIn(state, before) : []), added].slice(-limits.refusalsMax)
  const { refusalsKeptMs, refusalsRenewedAfterMs } = limits
  const renewed = deployment.clock.now() + refusalsKeptMs
  const isRecent = before !== undefined && renewed - before.expiresAt < refusalsRenewedAfterMs
  const row = { changes, expiresAt: isRecent ? before.expiresAt : renewed }
  transaction.put(slot, row)
  deployment.caches.refusals.set(textKeyOf(state, added), refusal)
  const { refusals } = rowKinds
  await countStored(deployment.tables, transaction, owner, refusals.storedBytes(row) - refusals.storedBytes(before))
}

/** Texts of refusals from before a redaction may quote what it removed. */
async function refusedIn(state: ChangeState, { changes }: RefusalsRow): Promise<readonly RefusedChange[]> {
  const until = await withheldIn(state)
  // A refusal from before the first change of the document has the audit id 0.
  return until === 0 ? changes : changes.filter(([, , auditId]) => auditId > until)
}

/** Callers of other documents may have the same name. */
const textKeyOf = ({ owner: { tenant, document, layerName } }: ChangeState, refused: RefusedChange): CacheKey => [
  tenant,
  document,
  layerName,
  ...refused,
]

const idOf = ({ caller, deployment }: DocumentContext, opId: string): string =>
  digestOf(deployment.sealing.fingerprint(JSON.stringify([callerKeyOf(caller), opId])))

/** Half of a hash in hex, which is enough to tell changes apart. */
const digestOf = (hash: string): string => Buffer.from(hash, 'hex').subarray(0, 16).toString('base64url')
