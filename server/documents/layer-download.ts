// `doc.download`: sends the base file of a layer followed by the edits of the layer as one incremental section. A layer
// without edits is sent as the uploaded version.
import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import type { ByteRange } from '../storage/blobs.js'
import { refuseDamaged } from './damaged-file.js'
import { downloadVersion } from './find-version.js'
import { sendBlob } from './send-blob.js'
import { sendFile } from './send-file.js'
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
        // The event is emitted even if the stream is aborted or never read.
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

/** Opens the files; open files stay readable after removal, so the section is unlinked at once. */
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

/** Opens a file. Throws `Unknown` if its length differs from the recorded one. */
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

/** Returns the entity tag of the bytes: undoing an edit restores the previous tag. */
const etagOf = ({ base, blob }: View, sha256: string): string =>
  `"${createHash('sha256').update(`${base.sha256}/${blob}/${sha256}`).digest('hex')}"`

/** Reads a range of the concatenated files. */
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

/** Chunks of this size are large enough to send the file as fast as a plain one. */
const chunkBytes = 256 * 1024
