// `doc.download`: the file a layer sits over, and behind its last byte the edits of the layer as one section. A layer nobody
// edited is its version, as it was uploaded.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import type { ByteRange } from '../storage/blobs.js'
import { refuseDamaged } from './damaged-file.js'
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
  const files = await openFiles(view, context)
  const release = () => void Promise.all(files.parts.map(({ handle }) => handle.close()))
  try {
    return sendFile(
      {
        sizeBytes: files.parts.reduce((sum, part) => sum + part.sizeBytes, 0),
        etag: etagOf(view, files.sectionSha256),
        fileName: fileNameOf(context),
        // Closed in any case: sent, broken off, or not wanted because the client has the bytes.
        read: (range) => Readable.from(bytesOf(files.parts, range), { objectMode: false }).once('close', release),
      },
      context,
    )
  } catch (error) {
    release()
    throw error
  }
}

interface Part {
  readonly handle: FileHandle
  readonly sizeBytes: number
}

interface OpenFiles {
  readonly parts: readonly Part[]
  readonly sectionSha256: string
}

/** Open files can be read to their end, whoever removes them meanwhile: the section's name goes at once. */
async function openFiles(view: View, context: DocumentContext): Promise<OpenFiles> {
  const { blobs, workers } = context.deployment
  const path = join(blobs.staging, `${randomUUID()}.delta`)
  try {
    return await withEditedSource(view, context, async (source) => {
      const { sizeBytes, sha256 } = await workers.run('delta', { source, path })
      const base = await openWhole(source.path, view.sizeBytes)
      try {
        return { parts: [base, await openWhole(path, sizeBytes)], sectionSha256: sha256 }
      } catch (error) {
        await base.handle.close()
        throw error
      }
    })
  } finally {
    await rm(path, { force: true })
  }
}

/** Throws `Unknown` if the length of the file differs from the recorded one. */
async function openWhole(path: string, sizeBytes: number): Promise<Part> {
  const handle = await open(path)
  try {
    refuseDamaged((await handle.stat()).size, sizeBytes)
    return { handle, sizeBytes }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Of the bytes themselves: an edit that was taken back gives the file its old name. */
const etagOf = ({ base, blob }: View, sha256: string): string =>
  `"${createHash('sha256').update(`${base.sha256}/${blob}/${sha256}`).digest('hex')}"`

/** Several files as if they were one. */
async function* bytesOf(parts: readonly Part[], { first, last }: ByteRange): AsyncIterable<Uint8Array> {
  let start = 0
  for (const { handle, sizeBytes } of parts) {
    const end = Math.min(last, start + sizeBytes - 1) - start
    if (first < start + sizeBytes && end >= 0) {
      const from = Math.max(0, first - start)
      yield* handle.createReadStream({ start: from, end, highWaterMark: chunkBytes, autoClose: false })
    }
    start += sizeBytes
  }
}

/** Fewer, larger reads: the file is sent as fast as a bare one. */
const chunkBytes = 256 * 1024
