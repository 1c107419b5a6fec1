// Publishes an uploaded document: a worker inspects the bytes, and one commit makes the document ready with its first
// version, or failed with a reason. Before that it is invisible to readers.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { IngestFacts } from '../../workers/jobs/ingest.js'
import { type PdfSource, PoolFailure, type PoolFailureCode } from '../../workers/messages/task.js'
import { uploadsAccountOf } from '../operation/account.js'
import type { Deployment } from '../operation/deployment.js'
import { recordEvent } from '../outbox/record-event.js'
import { webhookTopic } from '../outbox/webhook-topic.js'
import { notFound } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import type { StoredBlob, VersionRow } from '../rows/version.js'
import type { BlobFacts } from '../storage/blobs.js'
import type { PageFacts } from '../storage/page-facts.js'
import { rowKinds } from '../storage/row-kinds.js'
import { countStored, putReserved } from '../storage/stored-bytes.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { addUsage } from '../tenants/views.js'
import { newWorkingBlob, uploadBlob } from './blob-names.js'
import { drawThumbnail } from './draw-thumbnail.js'
import { putFailed } from './put-failed.js'
import { storeReferences } from './stored-references.js'

export interface ReceivedUpload {
  readonly tenant: string
  readonly document: string
  /** Size and hash of the upload blob. */
  readonly facts: BlobFacts
  /** Name of the uploaded or imported file. Default: that of uploads. */
  readonly uploadName?: string
  /** Called in the commit that changes the document. Throws if the caller may no longer publish it. */
  readonly fence?: (transaction: Transaction) => Promise<void>
}

/** Publishes an upload; idempotent. Throws `NotFound` if the document was deleted meanwhile. */
export async function publishUpload(deployment: Deployment, upload: ReceivedUpload): Promise<DocumentRow> {
  const ingested = await ingest(deployment, upload)
  if (ingested.state === 'failed') return fail(deployment, upload, ingested.reason)
  const working = await storeWorkingCopy(deployment, upload, ingested)
  const { facts, nextObject } = reserveNumbers(ingested)
  const pageFacts = facts && (await deployment.pageFacts.store(upload, facts))
  const thumbnail = await makeThumbnail(deployment, upload, ingested, working)
  if (ingested.isSigned) await readReferences(deployment, upload, working)
  let isAwaited = false
  const published = await transact(deployment, async (transaction) => {
    const { tables, clock } = deployment
    const { tenant, document, uploadName = uploadBlob } = upload
    await upload.fence?.(transaction)
    const slot = tables.documents.at([tenant, document])
    const row = await transaction.read(slot)
    if (!row || row.state === 'deleting') throw notFound('document')
    if (row.state !== 'pending') return row
    const now = clock.now()
    const { sizeBytes, sha256 } = upload.facts
    const blob = { name: uploadName, sizeBytes, sha256 }
    const version: VersionRow = {
      blob,
      working,
      parentSha256: null,
      producer: 'upload',
      signingId: null,
      ...(ingested.protection && { protection: ingested.protection }),
      createdAt: now,
    }
    const read = working ?? blob
    const ready: DocumentRow = {
      ...row,
      state: 'ready',
      headVersion: 1,
      headSha256: sha256,
      sizeBytes,
      readBlob: read.name,
      readBytes: read.sizeBytes,
      encryption: { ...ingested.encryption },
      nextObject,
      thumbnail,
      uploadExpiresAt: null,
      updatedAt: now,
    }
    await putReserved(tables, transaction, { tenant, document, row: ready }, 0)
    transaction.put(tables.versions.at([tenant, document, 1]), version)
    if (pageFacts) transaction.put(tables.pageFacts.at([tenant, document, 1]), pageFacts)
    await addUsage(tables, transaction, { tenant, nowMs: now, key: document, uploads: 1 })
    await countStored(tables, transaction, upload, rowKinds.versions.storedBytes(version))
    const facts = { version: 1, sha256, ...createdFacts(row, upload, now) }
    isAwaited = await recordEvent(transaction, tables, { type: 'document.ready', ...facts })
    return ready
  })
  if (isAwaited) deployment.bus.publish(webhookTopic)
  return published
}

type Owner = Pick<ReceivedUpload, 'tenant' | 'document'>

const createdFacts = ({ id, auditId, createdBy }: DocumentRow, { tenant, document }: Owner, now: number) => ({
  tenant,
  document,
  order: auditId,
  at: now,
  docId: id,
  actor: createdBy,
})

async function ingest(deployment: Deployment, upload: ReceivedUpload) {
  const workingPath = join(deployment.blobs.staging, `${randomUUID()}.pdf`)
  try {
    return await withUpload(deployment, upload, (source) => deployment.workers.run('ingest', { source, workingPath }))
  } catch (error) {
    // A killed thread cannot remove its file.
    await rm(workingPath, { force: true })
    // The file crashed or timed out its thread on every attempt; further attempts would too.
    if (isPoolFailure(error, ['quarantined'])) return { state: 'failed', reason: 'too-costly' } as const
    throw error
  }
}

const isPoolFailure = (error: unknown, codes: readonly PoolFailureCode[]): boolean =>
  error instanceof PoolFailure && codes.includes(error.code)

async function storeWorkingCopy(
  deployment: Deployment,
  { tenant, document }: ReceivedUpload,
  { working }: IngestFacts,
) {
  if (working === null) return null
  const name = newWorkingBlob()
  await deployment.blobs.adopt({ tenant, document, name }, working.path)
  return { name, sizeBytes: working.sizeBytes, sha256: working.sha256 }
}

/** Reserves an object number for every inline annotation, used by all layers that change it. */
function reserveNumbers({ pages, highestObject }: IngestFacts): { facts: PageFacts | undefined; nextObject: number } {
  let nextObject = highestObject + 1
  const facts = pages && {
    pages: pages.map(({ objectNumber, inlineAnnotations }) => ({
      objectNumber,
      inlineAnnotations: inlineAnnotations.map((baseIndex) => ({ baseIndex, objectNumber: nextObject++ })),
    })),
  }
  return { facts: facts ?? undefined, nextObject }
}

/** Draws the thumbnail. Failures do not fail the document; a locked document gets none, as it would reveal content. */
async function makeThumbnail(
  deployment: Deployment,
  upload: ReceivedUpload,
  { pages }: IngestFacts,
  working: StoredBlob | null,
): Promise<DocumentRow['thumbnail']> {
  if (pages === null) return 'locked'
  const { tenant, document, facts, uploadName = uploadBlob } = upload
  const { name, sizeBytes } = working ?? { name: uploadName, sizeBytes: facts.sizeBytes }
  try {
    await drawThumbnail(deployment, { tenant, document, name, sizeBytes, version: 1 })
    return 'ready'
  } catch (error) {
    // The document did not cause this failure; the request may be repeated.
    if (isPoolFailure(error, ['overloaded', 'closed'])) throw error
    deployment.log.warn({ err: error, document: upload.document }, 'the thumbnail could not be drawn')
    return 'failed'
  }
}

/** Prepares analyses of a signed file. If that fails, the first analysis does it. */
async function readReferences(
  deployment: Deployment,
  { tenant, document, facts, uploadName = uploadBlob }: ReceivedUpload,
  working: StoredBlob | null,
): Promise<void> {
  const { name, sizeBytes } = working ?? { name: uploadName, sizeBytes: facts.sizeBytes }
  try {
    await storeReferences(deployment, { tenant, document, name, sizeBytes })
  } catch (error) {
    deployment.log.warn({ err: error, document }, 'the references of a signed file could not be stored')
  }
}

async function withUpload<Answer>(
  { blobs }: Deployment,
  { tenant, document, facts, uploadName = uploadBlob }: ReceivedUpload,
  work: (source: PdfSource) => Promise<Answer>,
): Promise<Answer> {
  const local = await blobs.openLocal({ tenant, document, name: uploadName })
  try {
    const account = uploadsAccountOf(tenant)
    return await work({
      document,
      account,
      key: `${document}/${uploadName}`,
      path: local.path,
      sizeBytes: facts.sizeBytes,
    })
  } finally {
    local.release()
  }
}

async function fail(
  deployment: Deployment,
  { tenant, document, uploadName = uploadBlob, fence }: ReceivedUpload,
  reason: string,
): Promise<DocumentRow> {
  const { tables, clock, blobs } = deployment
  let isAwaited = false
  const failed = await transact(deployment, async (transaction) => {
    await fence?.(transaction)
    const slot = tables.documents.at([tenant, document])
    const row = await transaction.read(slot)
    if (!row || row.state === 'deleting') throw notFound('document')
    if (row.state !== 'pending') return row
    const made = await putFailed(tables, transaction, { tenant, document, row, reason, at: clock.now() })
    isAwaited = made.isAwaited
    return made.row
  })
  if (isAwaited) deployment.bus.publish(webhookTopic)
  // The bytes of a failed document are never read.
  if (failed.state === 'failed') await blobs.remove({ tenant, document, name: uploadName })
  return failed
}
