// `documents.importFrom`: copies a document from a URL while the request waits. The URL is a capability: it is
// neither stored nor logged, and not part of the payload that an idempotency key identifies.
import type { Static } from 'typebox'
import { uploadBlob } from '../documents/blob-names.js'
import { describeDocument } from '../documents/describe.js'
import { removeLate } from '../documents/late-blobs.js'
import { announceDocument } from '../documents/new-document.js'
import { publishUpload } from '../documents/publish.js'
import { limits } from '../limits.js'
import { tenantAccountOf } from '../operation/account.js'
import type { InternalRow, TenantContext } from '../operation/operation.js'
import { invalidArg, Refusal } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import type { DocumentImport, DocumentImported } from '../schemas/document.js'
import { type BlobFacts, BlobMismatch } from '../storage/blobs.js'
import { documentLease } from '../storage/removals.js'
import { fetchUrl, tooLarge } from './fetch-url.js'
import { checkSource, policyOf } from './guard.js'
import { type Network, systemNetwork } from './network.js'

type ImportRequest = Static<typeof DocumentImport>
type ImportAnswer = Static<typeof DocumentImported>

export async function importDocument(
  request: ImportRequest,
  context: TenantContext,
  network: Network = systemNetwork,
): Promise<ImportAnswer> {
  const url = urlOf(request)
  const { deployment } = context
  const { documentBytesMax } = deployment.config
  if ((request.expected?.sizeBytes ?? 0) > documentBytesMax) throw tooLarge(documentBytesMax)
  // The URL is checked first, so that a refused one creates no document.
  checkSource(url, policyOf(deployment.config))
  return deployment.imports.hold(tenantAccountOf(context.tenant.internal), () =>
    announceAndFill(request, { url, network }, context),
  )
}

async function announceAndFill(request: ImportRequest, from: From, context: TenantContext): Promise<ImportAnswer> {
  const { tenant, deployment } = context
  const announced = await announceDocument(
    {
      origin: 'import',
      docId: request.docId,
      metadata: request.metadata,
      idempotencyKey: request.idempotencyKey,
      reusesExisting: request.dedupMode === 'reuse-existing',
      sizeBytes: request.expected?.sizeBytes,
      sha256: request.expected?.sha256?.toLowerCase(),
      ttlMs: limits.uploadTtlDefaultMs,
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

function urlOf({ source, mode, dedupMode, expected }: ImportRequest): string {
  if (dedupMode === 'reuse-existing' && expected?.sha256 === undefined) {
    throw invalidArg('dedupMode "reuse-existing" needs expected.sha256')
  }
  if (source.kind === 'connection') {
    throw invalidArg('No connection of this connectionId is registered with this deployment')
  }
  if (mode === 'async') throw invalidArg('mode "async" needs a connection source; a URL is imported with mode "sync"')
  return source.url
}

interface From {
  readonly url: string
  readonly network: Network
}

/** Removes a document that got no bytes, unless its key allows the import to be repeated. */
async function fill(document: InternalRow<DocumentRow>, from: From, context: TenantContext): Promise<DocumentRow> {
  const { deployment, tenant } = context
  const owner = { tenant: tenant.internal, document: document.internal }
  try {
    const facts = await transfer(document, from, context)
    return await deployment.leases.hold(documentLease(owner.document), () =>
      publishUpload(deployment, { ...owner, facts }),
    )
  } catch (error) {
    if (document.row.idempotencyKey === null || isFinal(error)) await giveUp(owner, context)
    throw error
  }
}

async function transfer(
  { internal, row }: InternalRow<DocumentRow>,
  { url, network }: From,
  { deployment, tenant, signal }: TenantContext,
): Promise<BlobFacts> {
  const { blobs, config } = deployment
  const { sizeBytes: expectedBytes, sha256 } = row.expected
  const name = { tenant: tenant.internal, document: internal, name: uploadBlob }
  const options = { policy: policyOf(config), network, sizeBytesMax: config.documentBytesMax, signal: signal() }
  return fetchUrl(url, options, async ({ sizeBytes, bytes }) => {
    if (expectedBytes !== null && expectedBytes !== sizeBytes) throw mismatch('sizeBytes')
    try {
      return await blobs.write(name, bytes, {
        sizeBytesMax: sizeBytes,
        sizeBytes,
        ...(sha256 === null ? {} : { sha256 }),
      })
    } catch (error) {
      if (error instanceof BlobMismatch) throw mismatch(error.subject)
      throw error
    }
  })
}

const mismatch = (subject: BlobMismatch['subject']) =>
  new Refusal('UploadMismatch', `The file at the source differs from expected.${subject}`)

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
