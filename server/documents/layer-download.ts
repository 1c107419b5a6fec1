// `doc.download`: the file a layer sits over, and behind its last byte the edits of the layer as one section. A layer nobody
// edited is its version, as it was uploaded.
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { BytesAnswer, DocumentContext } from '../operation.js'
import type { ByteRange } from '../storage/blobs.js'
import { sendBlob } from './send-blob.js'
import { sendFile } from './send-file.js'
import { downloadVersion } from './versions.js'
import { type View, viewOf, withEditedSource } from './view.js'

/** Throws `LayerMoved`. */
export async function downloadLayer(context: DocumentContext): Promise<BytesAnswer> {
  const view = await viewOf(context)
  if (view.edits && view.edits.count > 0) return downloadEdited(view, context)
  if (view.version > 0) return downloadVersion(view.base.sha256, context)
  const { tenant, document, base, blob: name } = view
  return sendBlob({ blob: { tenant, document, name }, ...base, fileName: fileNameOf(context) }, context)
}

const fileNameOf = ({ document }: DocumentContext): string => `${document.row.id}.pdf`

async function downloadEdited(view: View, context: DocumentContext): Promise<BytesAnswer> {
  const { deployment } = context
  const path = join(deployment.blobs.workshop, `${randomUUID()}.delta`)
  const { tenant, document, blob: name } = view
  const local = await deployment.blobs.openLocal({ tenant, document, name })
  const letGo = () => {
    local.release()
    void rm(path, { force: true })
  }
  try {
    const section = await withEditedSource(view, context, (source) => deployment.workers.run('delta', { source, path }))
    const parts = [
      { path: local.path, sizeBytes: view.sizeBytes },
      { path, sizeBytes: section.sizeBytes },
    ]
    return sendFile(
      {
        sizeBytes: view.sizeBytes + section.sizeBytes,
        etag: etagOf(view, section.sha256),
        fileName: fileNameOf(context),
        // Closed in any case: sent, broken off, or not wanted because the client has the bytes.
        read: (range) => Readable.from(bytesOf(parts, range), { objectMode: false }).once('close', letGo),
      },
      context,
    )
  } catch (error) {
    letGo()
    throw error
  }
}

/** Of the bytes themselves: an edit that was taken back gives the file its old name. */
const etagOf = ({ base, blob }: View, sha256: string): string =>
  `"${createHash('sha256').update(`${base.sha256}/${blob}/${sha256}`).digest('hex')}"`

interface Part {
  readonly path: string
  readonly sizeBytes: number
}

/** Several files as if they were one. */
async function* bytesOf(parts: readonly Part[], { first, last }: ByteRange): AsyncIterable<Uint8Array> {
  let start = 0
  for (const { path, sizeBytes } of parts) {
    const end = Math.min(last, start + sizeBytes - 1) - start
    if (first < start + sizeBytes && end >= 0) {
      yield* createReadStream(path, { start: Math.max(0, first - start), end, highWaterMark: chunkBytes })
    }
    start += sizeBytes
  }
}

/** Fewer, larger reads: the file is sent as fast as a bare one. */
const chunkBytes = 256 * 1024
