// `doc.signatures.complete`: puts the CMS into the prepared signature and publishes the result as the next version, in
// one commit. Idempotent by signing id: a repeated request gets the stored response.
import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SignatureComplete, SignatureCompleted } from '../../workers/contract/signatures/completion.js'
import { withheldIn } from '../changes/answers.js'
import { type ChangeState, readState } from '../changes/state.js'
import { readStoredChange, withoutType } from '../changes/stored-change.js'
import { drawThumbnail } from '../documents/draw-thumbnail.js'
import { storeReferences } from '../documents/stored-references.js'
import { type DocumentContext, ReplayedJson } from '../operation/operation.js'
import { webhookTopic } from '../outbox/webhook-topic.js'
import { invalidArg, notFound, Refusal } from '../refusals/refusal.js'
import { ownBlobsOf, type SigningRow } from '../rows/signing.js'
import type { StoredBlob } from '../rows/version.js'
import { auditTopic } from '../storage/audit-topic.js'
import { documentLease, removeOrLeave } from '../storage/removals.js'
import { thumbnailNameOf } from '../storage/row-kinds.js'
import { Transaction, transact } from '../storage/transaction.js'
import { publishSigned } from './publish-signed.js'
import { signFile } from './sign-file.js'
import { refuseForeign } from './signing-holder.js'

export interface Completion {
  readonly signingId: string
  readonly cms: Uint8Array
  readonly expectedVersion: SignatureComplete['expectedVersion']
}

interface CompletionResult {
  readonly answer: object
  /** Signing that this request published; undefined for a replay. */
  readonly publishedFrom?: SigningRow
  /** File of a redacted layer, which the version has replaced. */
  readonly privateBase?: StoredBlob | null
}

/** Throws the refusals of the operation; the signing then stays as it is. */
export async function completeSigning(
  context: DocumentContext,
  { signingId, body }: { readonly signingId: string; readonly body: SignatureComplete },
): Promise<unknown> {
  const { deployment, document, signal } = context
  const completion = { signingId, cms: decoded(body.cms), expectedVersion: body.expectedVersion }
  const work = async () => {
    const completed = await transact(
      { store: deployment.store },
      (transaction) => attempt(transaction, context, completion),
      { outcomeOf: () => outcomeOf(context, signingId) },
    )
    if (completed.publishedFrom !== undefined) await deriveFromHead(context)
    return completed
  }
  const {
    answer,
    publishedFrom,
    privateBase = null,
  } = await deployment.leases.hold(documentLease(document.internal), work, signal())
  if (publishedFrom === undefined) return new ReplayedJson({ ...answer, status: 'already-completed' })
  deployment.bus.publish(auditTopic(document.internal))
  deployment.bus.publish(webhookTopic)
  await removeReplaced(context, publishedFrom, privateBase)
  return answer
}

function decoded(cms: string): Uint8Array {
  const bytes = Buffer.from(cms, 'base64')
  if (bytes.length > 0 && bytes.toString('base64') === cms.replace(/\s/g, '')) return bytes
  throw invalidArg('The CMS must be base64', { pointer: '/cms' })
}

async function attempt(
  transaction: Transaction,
  context: DocumentContext,
  completion: Completion,
): Promise<CompletionResult> {
  const state = await readState(transaction, context)
  const { owner } = state
  const { signingId } = completion
  const slot = context.deployment.tables.signings.at([owner.tenant, owner.document, signingId])
  const signing = await transaction.read(slot)
  if (signing?.layerName !== owner.layerName || signing.state === 'cancelled') throw notFound('signing')
  const cmsSha256 = createHash('sha256').update(completion.cms).digest('hex')
  if (signing.completedBy !== null) {
    if (signing.cmsSha256 !== cmsSha256) throw completedOtherwise()
    return { answer: await storedAnswer(state, signing.completedBy) }
  }
  refuseEnded(state, signingId, signing)
  refuseForeign(context.caller, signingId, signing)
  refuseOtherVersion(state, completion, signing)
  const path = join(context.deployment.blobs.staging, `signed-${randomUUID()}.pdf`)
  try {
    const signed = await signFile(state, { cms: completion.cms, signing, path })
    const answer: SignatureCompleted = await publishSigned(transaction, state, {
      signingId,
      signing: { ...signing, cmsSha256 },
      signed,
    })
    return { answer, publishedFrom: signing, privateBase: state.layer?.privateBase ?? null }
  } finally {
    await rm(path, { force: true })
  }
}

const completedOtherwise = (): Refusal =>
  new Refusal('SignatureRefused', 'The signing was completed with another CMS', { details: { check: 'completed' } })

function refuseEnded({ context, layer }: ChangeState, id: string, { state, expiresAt }: SigningRow): void {
  const isOpen = state === 'open' && expiresAt > context.deployment.clock.now() && layer?.signing?.id === id
  if (!isOpen) throw new Refusal('SigningExpired', 'The signing was not completed in time; prepare the signature again')
}

function refuseOtherVersion({ document }: ChangeState, { expectedVersion }: Completion, signing: SigningRow): void {
  const { baseSha256, editsVersion } = signing.expectedVersion
  if (expectedVersion.baseSha256 !== baseSha256 || expectedVersion.editsVersion !== editsVersion) {
    throw new Refusal('SigningVersionMismatch', 'expectedVersion differs from the one that prepare returned')
  }
  if (document.headVersion !== signing.version) {
    throw new Refusal('SigningVersionMismatch', 'Another signature was published since; prepare the signature again')
  }
}

/** Returns the response of the completion. Throws `NotFound` if a redaction has erased it since. */
async function storedAnswer(state: ChangeState, auditId: number): Promise<object> {
  const { context, owner } = state
  const row = await context.deployment.tables.audits.get([owner.tenant, owner.document, auditId])
  if (!row) throw new Error('The audit row of a completed signing is missing')
  const isWithheld = row.content === null || auditId <= (await withheldIn(state))
  if (row.content === null || isWithheld) throw withheld()
  const { answer } = await readStoredChange(context.deployment, owner, row.content)
  const [item] = answer.items
  if (item === undefined) throw new Error('The audit row of a completed signing has no payload')
  const { signingId: _, ...payload } = withoutType(item)
  return payload
}

const withheld = (): Refusal =>
  new Refusal('NotFound', 'The signature was completed, but a redaction has erased the response since', {
    details: { reason: 'withheld' },
  })

/** Resolves a commit of unknown outcome: the signing is completed exactly if it was committed. */
async function outcomeOf(context: DocumentContext, signingId: string): Promise<CompletionResult | undefined> {
  const state = await readState(new Transaction(context.deployment.store), context)
  const { owner } = state
  const row = await context.deployment.tables.signings.get([owner.tenant, owner.document, signingId])
  if (row === undefined || row.completedBy === null) return undefined
  return { answer: await storedAnswer(state, row.completedBy), publishedFrom: row }
}

/**
 * Makes the thumbnail and the stored references of the new head. If that fails, the next request that needs them makes
 * them. A locked document has none.
 */
async function deriveFromHead({ deployment, tenant, document, log }: DocumentContext): Promise<void> {
  const owner = { tenant: tenant.internal, document: document.internal }
  const row = await deployment.tables.documents.get([owner.tenant, owner.document])
  if (row === undefined || row.readBlob === null || row.readBytes === null) return
  if (row.encryption?.requiresPassword === true) return
  const version = row.headVersion
  const file = { ...owner, name: row.readBlob, sizeBytes: row.readBytes, version }
  try {
    if (row.thumbnail === 'ready') await drawThumbnail(deployment, file)
    await storeReferences(deployment, file)
  } catch (error) {
    log.warn({ err: error, document: document.internal }, 'the thumbnail or the references could not be made')
  }
}

/**
 * Removes what the version has replaced: what was prepared, the thumbnail of the former version, and the file of a
 * redacted layer. If a crash prevents that, they are collected later.
 */
async function removeReplaced(
  { deployment, tenant, document }: DocumentContext,
  signing: SigningRow,
  privateBase: StoredBlob | null,
): Promise<void> {
  const owner = { tenant: tenant.internal, document: document.internal }
  const replaced = [...ownBlobsOf(signing), ...(privateBase === null ? [] : [privateBase])]
  const names = [thumbnailNameOf(signing.version), ...replaced.map(({ name }) => name)]
  await removeOrLeave(deployment.leases, async () => {
    for (const name of names) await deployment.blobs.remove({ ...owner, name })
  })
}
