// Uploads one file as every client does: init with its size and hash, transfer, commit.
import { createHash } from 'node:crypto'
import { createReadStream, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import type { DocumentRecord, DocumentsClient } from './client.js'
import { documentsProblem } from './problems.js'

export interface UploadWish {
  readonly tenant: string
  readonly path: string
  readonly docId: string | undefined
  readonly reusesExisting: boolean
}

type Initialized =
  | { readonly tag: 'deduped'; readonly document: DocumentRecord }
  | {
      readonly tag: 'created' | 'resumed'
      readonly document: DocumentRecord
      readonly upload:
        | { readonly kind: 'proxy'; readonly url: string }
        | {
            readonly kind: 'presigned'
            readonly presigned: { readonly url: string; readonly headers: Record<string, string> }
          }
    }

export async function uploadFile(client: DocumentsClient, { tenant, path, docId, reusesExisting }: UploadWish) {
  const { sizeBytes, sha256 } = await measure(path)
  // Asking for a tenant that exists is how one makes sure.
  await client.json('/v1/tenants', { method: 'POST', json: { id: tenant } })
  const documents = `/v1/tenants/${encodeURIComponent(tenant)}/documents`
  const made = await client.json<Initialized>(`${documents}/init`, {
    method: 'POST',
    json: {
      contentLength: sizeBytes,
      contentSha256: sha256,
      metadata: { fileName: basename(path) },
      ...(reusesExisting ? { dedupMode: 'reuse-existing' } : {}),
      ...(docId === undefined ? {} : { docId }),
    },
  })
  if (made.tag === 'deduped') return { document: made.document, isNew: false }
  await transfer(client, made.upload, path)
  const commit = `${documents}/${made.document.id}/commit`
  const { document } = await client.json<{ document: DocumentRecord }>(commit, { method: 'POST', json: { sha256 } })
  return { document, isNew: true }
}

async function transfer(
  client: DocumentsClient,
  upload: Extract<Initialized, { tag: 'created' | 'resumed' }>['upload'],
  path: string,
): Promise<void> {
  const file = await openAsBlob(path, { type: 'application/pdf' })
  if (upload.kind === 'proxy') {
    const form = new FormData()
    form.set('file', file, basename(path))
    await client.json(upload.url, { method: 'POST', form })
    return
  }
  const { url, headers } = upload.presigned
  const { ok, status } = await fetch(url, { method: 'PUT', headers, body: file })
  if (!ok) throw documentsProblem('documents.refused', { detail: `The storage answered ${status} to the upload.` })
}

async function measure(path: string): Promise<{ readonly sizeBytes: number; readonly sha256: string }> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    for await (const chunk of createReadStream(path)) {
      hash.update(chunk)
      sizeBytes += chunk.length
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw documentsProblem('documents.no-file', { detail: `${path} cannot be read: ${reason}.`, cause: error })
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}
