// Uploads one file in three requests: init with size and hash, transfer, commit.
import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { DocumentRecord, DocumentsClient } from './client.js'
import { ensureTenant } from './ensure-tenant.js'
import { documentsProblem } from './problems.js'

export interface UploadRequest {
  readonly tenant: string
  /** Absolute path of the file. */
  readonly path: string
  /** Path as given on the command line. */
  readonly name: string
  readonly docId: string | undefined
  readonly reusesExisting: boolean
  /** Observes the bytes sent, for progress. */
  readonly watch: (bytes: AsyncIterable<Uint8Array>, sizeBytes: number) => AsyncIterable<Uint8Array>
}

type InitAnswer =
  | { readonly tag: 'deduped'; readonly document: DocumentRecord }
  | {
      readonly tag: 'created' | 'resumed'
      readonly document: DocumentRecord
      readonly upload: { readonly url: string }
    }

export async function uploadFile(client: DocumentsClient, request: UploadRequest) {
  const { tenant, path, docId, reusesExisting } = request
  const { sizeBytes, sha256 } = await measure(request)
  await ensureTenant(client, tenant)
  const documents = `/v1/tenants/${encodeURIComponent(tenant)}/documents`
  const made = await client.json<InitAnswer>(`${documents}/init`, {
    method: 'POST',
    json: {
      contentLength: sizeBytes,
      contentSha256: sha256,
      metadata: { fileName: basename(path) },
      // The bytes are sent through the server, because a direct address of the blob store may be unreachable from here.
      uploadPreference: 'proxy',
      ...(reusesExisting ? { dedupMode: 'reuse-existing' } : {}),
      ...(docId === undefined ? {} : { docId }),
    },
  })
  if (made.tag === 'deduped') return { document: made.document, isNew: false }
  await transfer(client, made.upload.url, { ...request, sizeBytes })
  const commit = `${documents}/${made.document.id}/commit`
  const { document } = await client.json<{ document: DocumentRecord }>(commit, { method: 'POST', json: { sha256 } })
  return { document, isNew: true }
}

async function transfer(
  client: DocumentsClient,
  url: string,
  { path, watch, sizeBytes }: UploadRequest & { readonly sizeBytes: number },
): Promise<void> {
  const form = new FormData()
  form.set('file', await openAsBlob(path, { type: 'application/pdf' }), basename(path))
  const { body, headers } = new Response(form)
  if (body === null) return
  const bytes = ReadableStream.from(watch(body, sizeBytes))
  await client.json(url, { method: 'POST', body: { bytes, contentType: headers.get('content-type') ?? '' } })
}

async function measure({
  path,
  name,
}: UploadRequest): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk)
      sizeBytes += chunk.length
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw documentsProblem('documents.no-file', { detail: `${name} cannot be read: ${reason}.`, cause: error })
  }
  if (sizeBytes > 0) return { sizeBytes, sha256: hash.digest('hex') }
  throw documentsProblem('documents.no-file', { detail: `${name} is empty.`, fix: 'Name a file with content.' })
}
