// `doc.signatures.cancel`: ends a signing, so that the layer can be changed again.
import type { SignatureCancelled } from '../../workers/contract/signatures/completion.js'
import { type ChangeState, readState } from '../changes/state.js'
import { closedSigning } from '../expiry/end-signing.js'
import type { DocumentContext } from '../operation/operation.js'
import { addStoredBy } from '../operation/storage-bounds.js'
import { ownBlobsOf } from '../rows/signing.js'
import type { StoredBlob } from '../rows/version.js'
import { auditTopic } from '../storage/audit-topic.js'
import { layerRowKinds } from '../storage/layer-row-kinds.js'
import { documentLease, removeOrLeave } from '../storage/removals.js'
import { signings } from '../storage/signing-row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { storeSigningAudit } from './signing-audit.js'
import { refuseForeign } from './signing-holder.js'

interface CancelResult extends SignatureCancelled {
  /** Blobs that no row names any more; missing if nothing was cancelled now. */
  readonly left?: readonly StoredBlob[]
}

export async function cancelSigning(context: DocumentContext, signingId: string): Promise<SignatureCancelled> {
  const { deployment, document, tenant, signal } = context
  const { store, leases, bus, blobs } = deployment
  const attempt = () =>
    transact({ store }, (transaction) => cancel(transaction, context, signingId), {
      outcomeOf: () => outcomeOf(context, signingId),
    })
  const { status, left } = await leases.hold(documentLease(document.internal), attempt, signal())
  if (left !== undefined) {
    bus.publish(auditTopic(document.internal))
    const owner = { tenant: tenant.internal, document: document.internal }
    await removeOrLeave(leases, async () => {
      for (const { name } of left) await blobs.remove({ ...owner, name })
    })
  }
  return { status }
}

async function cancel(transaction: Transaction, context: DocumentContext, id: string): Promise<CancelResult> {
  const state = await readState(transaction, context)
  const { owner, layer } = state
  const { tables, clock } = context.deployment
  const slot = tables.signings.at([owner.tenant, owner.document, id])
  const row = await transaction.read(slot)
  if (row?.layerName !== owner.layerName || row.state === 'expired') return { status: 'unknown' }
  if (row.state === 'completed') return { status: 'already-completed' }
  if (row.state === 'cancelled' || row.section === null) return { status: 'cancelled' }
  const now = clock.now()
  if (row.expiresAt > now) refuseForeign(context.caller, id, row)
  const next = closedSigning(row, 'cancelled', now)
  transaction.put(slot, next)
  if (layer?.signing?.id === id) {
    const { signing: _, ...free } = layer
    transaction.put(tables.layers.at([owner.tenant, owner.document, owner.layerName]), { ...free, updatedAt: now })
  }
  await putAudit(transaction, state, { id, now, freedBytes: signings.storedBytes(row) - signings.storedBytes(next) })
  return { status: 'cancelled', left: ownBlobsOf(row) }
}

interface CancelFacts {
  readonly id: string
  readonly now: number
  readonly freedBytes: number
}

async function putAudit(transaction: Transaction, state: ChangeState, { id, now, freedBytes }: CancelFacts) {
  const { context, owner, document, layer } = state
  const { tables } = context.deployment
  const auditId = document.auditId + 1
  const audit = await storeSigningAudit(state, {
    kind: 'signature.cancel',
    signingId: id,
    payload: { status: 'cancelled' },
    affectedPages: [],
    cacheDelta: null,
    editsVersion: layer?.editsVersion ?? 0,
    now,
  })
  transaction.put(tables.documents.at([owner.tenant, owner.document]), { ...document, auditId, updatedAt: now })
  transaction.put(tables.audits.at([owner.tenant, owner.document, auditId]), audit)
  const bytes = layerRowKinds.audits.storedBytes(audit)
  await countStored(tables, transaction, owner, bytes - freedBytes)
  await addStoredBy(transaction, context, bytes)
}

async function outcomeOf(
  { deployment, tenant, document }: DocumentContext,
  id: string,
): Promise<CancelResult | undefined> {
  const row = await deployment.tables.signings.get([tenant.internal, document.internal, id])
  return row?.state === 'cancelled' ? { status: 'cancelled' } : undefined
}
