// Announces a document: creates its row before there are bytes. A repeated idempotency key returns the earlier
// document; on request, an existing document with the same bytes is reused.
import { randomBytes } from 'node:crypto'
import { subjectOf } from '../auth/caller.js'
import { untilReleased } from '../deletion/given-up.js'
import { untilReusable } from '../deletion/retirement.js'
import { canonicalJson } from '../http/canonical-json.js'
import { limits } from '../limits.js'
import type { InternalRow, TenantContext } from '../operation/operation.js'
import { refuseTenantFull } from '../operation/storage-bounds.js'
import { Refusal } from '../refusals/refusal.js'
import { type DocumentRow, uploadExpired } from '../rows/document.js'
import { isImportFailure } from '../rows/import.js'
import { newInternalId } from '../storage/internal-ids.js'
import { bytesOfMetadata, putReserved } from '../storage/stored-bytes.js'
import { type Transaction, transact } from '../storage/transaction.js'

export interface NewDocument {
  readonly origin: DocumentRow['origin']
  readonly docId: string | undefined
  readonly metadata: Readonly<Record<string, unknown>> | undefined
  readonly idempotencyKey: string | undefined
  readonly reusesExisting: boolean
  /** Expected size of the bytes, if known. */
  readonly sizeBytes: number | undefined
  readonly sha256: string | undefined
  /** Time until a pending document expires; null = never. */
  readonly ttlMs: number | null
  /** Writes further rows in the commit that makes the document pending. */
  readonly accompany?: (transaction: Transaction, document: PendingDocument) => Promise<void>
}

export interface PendingDocument {
  readonly internal: string
  /** True if the document awaited its bytes already. */
  readonly wasPending: boolean
}

export interface Announcement {
  /** Result. `resumed`: the document of the key still awaits its bytes. `deduped`: no bytes need to be sent. */
  readonly tag: 'created' | 'resumed' | 'deduped'
  readonly document: InternalRow<DocumentRow>
}

export async function announceDocument(request: NewDocument, context: TenantContext): Promise<Announcement> {
  const { deployment, tenant } = context
  refuseLargeMetadata(request)
  if (request.docId !== undefined) await untilReleased(deployment, request.docId)
  return transact(deployment, async (transaction) => {
    const tenantRow = await transaction.read(deployment.tables.tenants.at([tenant.internal]))
    if (!tenantRow || tenantRow.status === 'deleting') throw new Refusal('NotFound', 'There is no such tenant')
    const earlier =
      (await reuseByKey(request, transaction, context)) ?? (await withContent(request, transaction, context))
    return earlier ?? { tag: 'created', document: await create(request, transaction, context) }
  })
}

function refuseLargeMetadata({ metadata }: NewDocument): void {
  const max = limits.documentMetadataBytesMax
  const value = bytesOfMetadata(metadata && { ...metadata })
  if (value <= max) return
  throw new Refusal('PayloadTooLarge', `The metadata of a document has at most ${max} bytes`, {
    details: { limit: 'documentMetadataBytesMax', max, value },
  })
}

/** Finds the document of the idempotency key. Throws `Conflict` if the request differs from the first one. */
async function reuseByKey(request: NewDocument, transaction: Transaction, context: TenantContext) {
  const { deployment, tenant } = context
  if (request.idempotencyKey === undefined) return undefined
  const slot = deployment.tables.uploadKeys.at([tenant.internal, request.idempotencyKey])
  const pointer = await transaction.read(slot)
  if (!pointer) return undefined
  const documentSlot = deployment.tables.documents.at([pointer.tenant, pointer.document])
  const row = await transaction.read(documentSlot)
  if (!row || row.state === 'deleting') return undefined
  refuseAnother(request, row)
  // A repeated request may have members that earlier ones lacked.
  const metadata = row.metadata ?? (request.metadata ? { ...request.metadata } : null)
  const document = { internal: pointer.document, row: { ...row, metadata } }
  const wasPending = row.state === 'pending'
  if (!wasPending && !isWithoutBytes(row)) {
    if (metadata !== row.metadata) {
      await putReserved(deployment.tables, transaction, { ...pointer, row: document.row }, row.reserved ?? 0)
    }
    return { tag: 'deduped', document } as const
  }
  const { sizeBytes, sha256 } = row.expected
  // Facts in this request about the bytes apply to the existing document as well.
  const expected = { sizeBytes: sizeBytes ?? request.sizeBytes ?? null, sha256: sha256 ?? request.sha256 ?? null }
  const resumed: DocumentRow = {
    ...document.row,
    ...awaiting,
    expected,
    uploadExpiresAt: request.ttlMs === null ? null : deployment.clock.now() + request.ttlMs,
  }
  const expectedBytes = expected.sizeBytes ?? 0
  const counted = (row.reserved ?? 0) + (row.metadataBytes ?? 0)
  await refuseTenantFull(context, expectedBytes + bytesOfMetadata(metadata) - counted)
  await putReserved(deployment.tables, transaction, { ...pointer, row: resumed }, expectedBytes)
  await request.accompany?.(transaction, { internal: pointer.document, wasPending })
  return { tag: 'resumed', document: { ...document, row: resumed } } as const
}

const awaiting = { state: 'pending', failureReason: null, thumbnail: 'pending' } as const

/** True if the upload was announced and never arrived. */
const isExpired = ({ state, failureReason }: DocumentRow): boolean =>
  state === 'failed' && failureReason === uploadExpired

/** True if the document failed because its bytes were never obtained, so that they may be sent or fetched again. */
const isWithoutBytes = (row: DocumentRow): boolean =>
  isExpired(row) || (row.state === 'failed' && isImportFailure(row.failureReason))

/**
 * Refuses a request that contradicts the existing document: members in both must be equal. A member in only one of them
 * is not a contradiction.
 */
function refuseAnother(request: NewDocument, row: DocumentRow): void {
  const uploaded = row.uploaded ?? { sizeBytes: row.sizeBytes, sha256: row.headSha256 }
  const [sizeBytes, sha256] = [uploaded.sizeBytes ?? row.expected.sizeBytes, uploaded.sha256 ?? row.expected.sha256]
  const differences = {
    origin: request.origin !== row.origin,
    docId: isOther(request.docId, row.id),
    sizeBytes: isOther(request.sizeBytes, sizeBytes),
    sha256: isOther(request.sha256, sha256),
    metadata:
      request.metadata !== undefined &&
      row.metadata !== null &&
      canonicalJson(request.metadata) !== canonicalJson(row.metadata),
  }
  const [member] = Object.entries(differences).find(([, isDifferent]) => isDifferent) ?? []
  if (member !== undefined) {
    throw new Refusal('Conflict', `This idempotencyKey was used for another document: its ${member} differs`)
  }
}

const isOther = <Value>(given: Value | undefined, known: Value | null): boolean =>
  given !== undefined && known !== null && given !== known

/** Finds a ready document of the tenant with the same bytes, if the request permits reusing one. */
async function withContent(request: NewDocument, transaction: Transaction, { deployment, tenant }: TenantContext) {
  if (!request.reusesExisting || request.sha256 === undefined) return undefined
  const existing =
    request.docId === undefined ? undefined : await transaction.read(deployment.tables.documentIds.at([request.docId]))
  if (existing) {
    // The id belongs to another document.
    if (existing.tenant !== tenant.internal) return undefined
    const holds = await transaction.read(
      deployment.tables.contents.at([tenant.internal, request.sha256, existing.document]),
    )
    const row = holds && (await transaction.read(deployment.tables.documents.at([tenant.internal, existing.document])))
    return row?.state === 'ready'
      ? ({ tag: 'deduped', document: { internal: existing.document, row } } as const)
      : undefined
  }
  for await (const { key } of deployment.tables.contents.range([tenant.internal, request.sha256])) {
    const [, , internal] = key
    const row = await transaction.read(deployment.tables.documents.at([tenant.internal, internal]))
    if (row?.state === 'ready') return { tag: 'deduped', document: { internal, row } } as const
  }
  return undefined
}

async function create(
  request: NewDocument,
  transaction: Transaction,
  context: TenantContext,
): Promise<InternalRow<DocumentRow>> {
  const { deployment, tenant, caller } = context
  const { tables, clock } = deployment
  const id = request.docId ?? `doc_${randomBytes(15).toString('base64url')}`
  const existing = await transaction.read(tables.documentIds.at([id]))
  const before = existing && (await transaction.read(tables.documents.at([existing.tenant, existing.document])))
  // An upload of the same tenant that never arrived releases its id.
  const isFree =
    existing === undefined || (existing.tenant === tenant.internal && before !== undefined && isExpired(before))
  if (!isFree) throw new Refusal('Conflict', 'A document with this id already exists')
  if (request.docId !== undefined) await untilReusable(tables, transaction, id, clock)
  const now = clock.now()
  const internal = existing?.document ?? newInternalId(now)
  const row: DocumentRow = {
    id,
    ...awaiting,
    headVersion: 0,
    headSha256: null,
    sizeBytes: null,
    readBlob: null,
    readBytes: null,
    encryption: null,
    nextObject: 1,
    // An id that was released is still counted with its metadata and what was reserved.
    storedBytes: before?.storedBytes ?? 0,
    ...(before?.reserved !== undefined && { reserved: before.reserved }),
    ...(before?.metadataBytes !== undefined && { metadataBytes: before.metadataBytes }),
    auditId: 0,
    metadata: request.metadata ? { ...request.metadata } : null,
    idempotencyKey: request.idempotencyKey ?? null,
    expected: { sizeBytes: request.sizeBytes ?? null, sha256: request.sha256 ?? null },
    origin: request.origin,
    uploadExpiresAt: request.ttlMs === null ? null : now + request.ttlMs,
    createdAt: now,
    updatedAt: now,
    createdBy: subjectOf(caller),
  }
  const owner = { tenant: tenant.internal, document: internal }
  await refuseTenantFull(context, (request.sizeBytes ?? 0) + bytesOfMetadata(row.metadata))
  await putReserved(tables, transaction, { ...owner, row }, request.sizeBytes ?? 0)
  await request.accompany?.(transaction, { internal, wasPending: false })
  return { internal, row }
}
