// `doc.download`: sends the base file of a layer followed by the edits of the layer as one incremental section, or the layer
// as a new file. A layer without edits is sent as the uploaded version, unless a new file is asked for; a redacted layer
// with later edits is always a new file.
import { createHash, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { BytesAnswer, DocumentContext } from '../operation/operation.js'
import { downloadVersion } from './find-version.js'
import { sendBlob } from './send-blob.js'
import { openWhole, type Part, sendParts } from './send-parts.js'
import { isEditedSinceRedaction, type View, viewOf, withEditedSource } from './view.js'

/** `incremental`: the edits follow the unchanged file; `rewrite`: a new file. */
export type DownloadMode = 'incremental' | 'rewrite'

/** Throws `LayerMoved`. */
export async function downloadLayer(context: DocumentContext, mode: DownloadMode): Promise<BytesAnswer> {
  const view = await viewOf(context)
  if (mode === 'rewrite' || isEditedSinceRedaction(view)) return downloadRewritten(view, context)
  if (view.edits && view.edits.count > 0) return downloadEdited(view, context)
  if (view.version > 0) return downloadVersion(view.base.sha256, context)
  const { tenant, document, base, blob: name } = view
  return sendBlob({ blob: { tenant, document, name }, ...base, fileName: fileNameOf(context) }, context)
}

const fileNameOf = ({ document }: DocumentContext): string => `${document.row.id}.pdf`

async function downloadEdited(view: View, context: DocumentContext): Promise<BytesAnswer> {
  const { parts, sectionSha256 } = await openFiles(view, context)
  return sendParts({ parts, etag: etagOf(view, sectionSha256), fileName: fileNameOf(context) }, context)
}

/** Sends the layer as a new file of one revision, without anything that its edits have removed. */
async function downloadRewritten(view: View, context: DocumentContext): Promise<BytesAnswer> {
  const { blobs, workers } = context.deployment
  const path = join(blobs.staging, `${randomUUID()}.rewritten`)
  try {
    const { sizeBytes, sha256 } = await withEditedSource(view, context, (source) =>
      workers.run('rewrite', { source, path }),
    )
    const parts = [await openWhole(path, sizeBytes)]
    const isEncrypted = context.document.row.encryption?.state === 'encrypted'
    // Encryption is random: the next file has other bytes, so that parts of the two must not be put together.
    return sendParts({ parts, etag: `"${sha256}"`, fileName: fileNameOf(context), isOnce: isEncrypted }, context)
  } finally {
    await rm(path, { force: true })
  }
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

/** Returns the entity tag of the bytes: undoing an edit restores the previous tag. */
const etagOf = ({ base, blob }: View, sha256: string): string =>
  `"${createHash('sha256').update(`${base.sha256}/${blob}/${sha256}`).digest('hex')}"`
