// `documents.importFrom`: copies a document from a source while the request waits, or accepts an import that workers
// do. A URL is a capability: it is neither stored nor logged, and not part of the payload that an idempotency key
// identifies.
import { randomUUID } from 'node:crypto'
import type { Static } from 'typebox'
import { importedBlob } from '../documents/blob-names.js'
import { describeDocument } from '../documents/describe.js'
import { removeLate } from '../documents/late-blobs.js'
import { announceDocument } from '../documents/new-document.js'
import { publishUpload } from '../documents/publish.js'
import { limits } from '../limits.js'
import { tenantAccountOf } from '../operation/account.js'
import type { InternalRow, TenantContext, WithStatus } from '../operation/operation.js'
import { refuseTenantFull } from '../operation/storage-bounds.js'
import { Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import type { DocumentImported } from '../schemas/document.js'
import type { BlobFacts } from '../storage/blobs.js'
import { documentLease } from '../storage/removals.js'
import { acceptImport, otherMode } from './accept-import.js'
import { announcementOf } from './announcement.js'
import { tooLarge } from './failures.js'
import { type ImportRequest, type ImportSource, sourceOf } from './import-source.js'
import { type Network, systemNetwork } from './network.js'
import { receiveFile } from './receive-file.js'

type ImportAnswer = Static<typeof DocumentImported>

export async function importDocument(
  request: ImportRequest,
  context: TenantContext,
  network: Network = systemNetwork,
): Promise<ImportAnswer | WithStatus> {
  // The source is checked first, so that a refused one creates no document.
  const source = sourceOf(request, context, network)
  const { deployment } = context
  const { documentBytesMax } = deployment.config
  if ((request.expected?.sizeBytes ?? 0) > documentBytesMax) throw tooLarge(documentBytesMax)
  if (request.mode === 'async' && source.named) return acceptImport(request, source.named, context)
  return deployment.imports.hold(tenantAccountOf(context.tenant.internal), () =>
    announceAndFill(request, source, context),
  )
}

async function announceAndFill(
  request: ImportRequest,
  from: ImportSource,
  context: TenantContext,
): Promise<ImportAnswer> {
  const { tenant, deployment } = context
  const announced = await announceDocument(
    {
      ...announcementOf(request),
      ttlMs: limits.uploadTtlDefaultMs,
      async accompany(transaction, { internal }) {
        if (await transaction.read(deployment.tables.imports.at([tenant.internal, internal]))) throw otherMode()
      },
    },
    context,
  )
  const describe = (tag: ImportAnswer['tag'], row: DocumentRow) => ({
    tag,
    document: describeDocument(row, tenant.row.id),
  })
  const { tag, document } = announced
  if (tag === 'deduped') return describe('deduped', document.row)
  // Requests with the same key run one after the other; the first that succeeds serves the others too.
  return deployment.leases.hold(
    `import:${document.internal}`,
    async () => {
      const row = await deployment.tables.documents.get([tenant.internal, document.internal])
      if (!row || row.state === 'deleting') throw givenUp()
      if (row.state !== 'pending') return describe('deduped', row)
      return describe('imported', await fill({ internal: document.internal, row }, from, context))
    },
    context.signal(),
  )
}

/**
 * Fetches the bytes into the document. If that fails, removes the document, unless its key allows the import to be
 * repeated.
 */
async function fill(
  document: InternalRow<DocumentRow>,
  from: ImportSource,
  context: TenantContext,
): Promise<DocumentRow> {
  const { deployment, tenant } = context
  const owner = { tenant: tenant.internal, document: document.internal }
  try {
    // Each attempt has a file of its own: one that was held up cannot replace what another one published.
    const uploadName = importedBlob(randomUUID())
    const facts = await transfer({ ...document, uploadName }, from, context)
    return await deployment.leases.hold(documentLease(owner.document), () =>
      publishUpload(deployment, { ...owner, facts, uploadName }),
    )
  } catch (error) {
    if (document.row.idempotencyKey === null || isFinal(error)) await giveUp(owner, context)
    throw error
  }
}

async function transfer(
  { internal, row, uploadName }: InternalRow<DocumentRow> & { readonly uploadName: string },
  source: ImportSource,
  { deployment, tenant, signal }: TenantContext,
): Promise<BlobFacts> {
  const { blobs, config } = deployment
  const name = { tenant: tenant.internal, document: internal, name: uploadName }
  return source.read({ sizeBytesMax: config.documentBytesMax, signal: signal() }, async (opened) => {
    await refuseTenantFull({ deployment, tenant }, opened.sizeBytes - (row.reserved ?? 0))
    return receiveFile(blobs, name, { opened, expected: row.expected })
  })
}

/**
 * True if repeating the import of this document would fail again. After other failures the client may have another
 * URL, such as a newly signed one.
 */
const isFinal = (error: unknown): boolean =>
  error instanceof Refusal && error.status < 500 && !retryableCodes.has(error.code)

const retryableCodes: ReadonlySet<string> = new Set(['Aborted', 'SourceRefused'])

const givenUp = () =>
  new Refusal('RuntimeUnavailable', 'A concurrent import with the same key was refused; repeat this request', {
    retryAfterSeconds: 1,
  })

async function giveUp(
  owner: { readonly tenant: string; readonly document: string },
  { deployment }: TenantContext,
): Promise<void> {
  try {
    await deployment.deletions.deleteDocument(owner, ({ state }) => state === 'pending')
  } catch (error) {
    // Another request has deleted the document in the meantime.
    if (!(error instanceof Refusal && error.code === 'NotFound')) throw error
    await removeLate(deployment, owner)
  }
}
