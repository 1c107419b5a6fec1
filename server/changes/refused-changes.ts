// Remembers the newest refused changes of a credential in a layer, in bounded space: shares have any number of visitors, so
// their sessions count together.
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { callerKeyOf, credentialKeyOf } from '../auth/caller-key.js'
import { isSealed, readContent, storeContents } from '../layers/content.js'
import { limits } from '../limits.js'
import type { DocumentContext } from '../operation/operation.js'
import { StorageFull } from '../operation/storage-bounds.js'
import { Refusal } from '../refusals/refusal.js'
import { type RefusalsRow, RefusedChange, storedRefusals } from '../rows/refusals.js'
import { rowKinds } from '../storage/row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Slot } from '../storage/table.js'
import type { Transaction } from '../storage/transaction.js'
import { withheldIn } from './answers.js'
import type { ChangeState } from './state.js'

const RefusedChanges = Type.Array(RefusedChange)
const validator = Compile(RefusedChanges)

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
  const id = idOf(state.context, opId)
  const found = (await refusedIn(state, row)).find((one) => one.id === id)
  if (found === undefined) return undefined
  if (found.request !== digestOf(requestHash)) return reused()
  const { code, message, details } = found
  return new Refusal(code, message, details ? { details } : {})
}

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
  const { message, details } = refusal
  const added = {
    id: idOf(context, opId),
    request: digestOf(requestHash),
    auditId: document.auditId,
    code,
    message,
    ...(details && { details }),
  }
  const changes = newest([...(before ? await refusedIn(state, before) : []), added])
  const pieces = [Buffer.from(JSON.stringify(changes), 'utf8')]
  const [content] = await storeContents(deployment, { layer: owner, isSealed: isSealed(document), pieces })
  if (content === undefined) throw new Error('A stored piece is missing')
  const { refusalsKeptMs, refusalsRenewedAfterMs } = limits
  const renewed = deployment.clock.now() + refusalsKeptMs
  const isRecent = before !== undefined && renewed - before.expiresAt < refusalsRenewedAfterMs
  const row = { layerName: owner.layerName, changes: content, expiresAt: isRecent ? before.expiresAt : renewed }
  transaction.put(slot, row)
  const { refusals } = rowKinds
  await countStored(deployment.tables, transaction, owner, refusals.storedBytes(row) - refusals.storedBytes(before))
}

/** Refusals from before a redaction may quote what it removed. */
async function refusedIn(state: ChangeState, { changes }: RefusalsRow) {
  const { context, owner } = state
  const bytes = await readContent(context.deployment, owner, changes)
  const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'))
  if (!validator.Check(value)) throw new Error('Stored refusals do not match their schema')
  const until = await withheldIn(state)
  // A refusal from before the first change of the document has the audit id 0.
  return until === 0 ? value : value.filter(({ auditId }) => auditId > until)
}

function newest(changes: readonly RefusedChange[]): readonly RefusedChange[] {
  let bytesLeft: number = limits.refusalsBytesMax
  const kept: RefusedChange[] = []
  for (const one of changes.slice(-limits.refusalsMax).toReversed()) {
    bytesLeft -= Buffer.byteLength(JSON.stringify(one))
    if (bytesLeft < 0) break
    kept.unshift(one)
  }
  return kept
}

const idOf = ({ caller, deployment }: DocumentContext, opId: string): string =>
  digestOf(deployment.sealing.fingerprint(JSON.stringify([callerKeyOf(caller), opId])))

/** Half of a hash in hex, which is enough to tell changes apart. */
const digestOf = (hash: string): string => Buffer.from(hash, 'hex').subarray(0, 16).toString('base64url')
