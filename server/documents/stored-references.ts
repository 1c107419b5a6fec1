// References between the objects of a stored file. They are read once, at the publication of a signed version or at the
// first analysis, and stored beside the file: the cost of an analysis then does not grow with the document.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { JobRefusal } from '../../workers/contract/job-refusal.js'
import { type PdfSource, PoolFailure } from '../../workers/messages/task.js'
import { uploadsAccountOf } from '../operation/account.js'
import type { Deployment } from '../operation/deployment.js'
import type { DocumentContext } from '../operation/operation.js'
import { BlobMissing, type BlobName, type LocalCopy } from '../storage/blobs.js'
import { documentLease } from '../storage/removals.js'
import { referencesName } from '../storage/row-kinds.js'

/** A blob of a document that opens without a password. */
export interface ReferencedFile extends BlobName {
  readonly sizeBytes: number
}

type ReferencesContext = Pick<DocumentContext, 'deployment' | 'document' | 'signal' | 'log'>

/**
 * Calls `work` with the path of the stored references; undefined if there are none and none can be stored. `lease`: whether the
 * caller holds that of the document.
 */
export async function withReferences<Answer>(
  context: ReferencesContext,
  file: ReferencedFile,
  work: (path: string | undefined) => Promise<Answer>,
  lease: 'held' | 'free' = 'free',
): Promise<Answer> {
  const { deployment } = context
  const stored = (await openReferences(deployment, file)) ?? (await storeFirst(context, file, lease))
  try {
    return await work(stored?.path)
  } finally {
    stored?.release()
  }
}

/** Without the lease, writers of the document do not wait while the references are read. */
async function storeFirst(
  { deployment, document, signal, log }: ReferencesContext,
  file: ReferencedFile,
  lease: 'held' | 'free',
): Promise<LocalCopy | undefined> {
  const whileAlive = (adopt: () => Promise<void>) =>
    deployment.leases.hold(
      documentLease(document.internal),
      async () => {
        const row = await deployment.tables.documents.get([file.tenant, file.document])
        if (row?.state === 'ready') await adopt()
      },
      signal(),
    )
  try {
    await storeReferences(deployment, file, lease === 'held' ? undefined : whileAlive)
  } catch (error) {
    if (error instanceof JobRefusal || error instanceof PoolFailure || signal().aborted) throw error
    log.warn({ err: error, document: document.internal }, 'the references of a file could not be stored')
  }
  return openReferences(deployment, file)
}

/**
 * Reads and stores the references, unless they are stored. A file of ambiguous structure gets none. `whileAlive` runs the
 * last step under the lease of the document; default: the caller holds it, or the document is not published yet.
 */
export async function storeReferences(
  { blobs, workers }: Deployment,
  file: ReferencedFile,
  whileAlive: (adopt: () => Promise<void>) => Promise<void> = (adopt) => adopt(),
): Promise<void> {
  const { tenant, document, name, sizeBytes } = file
  const blob = { tenant, document, name: referencesName(name) }
  if ((await blobs.size(blob)) !== undefined) return
  const path = join(blobs.staging, `references-${randomUUID()}`)
  try {
    const local = await blobs.openLocal(file)
    try {
      const account = uploadsAccountOf(tenant)
      const source: PdfSource = { document, account, key: `${document}/${name}`, path: local.path, sizeBytes }
      const { isWritten } = await workers.run('references', { source, path })
      if (isWritten) await whileAlive(() => blobs.adopt(blob, path))
    } finally {
      local.release()
    }
  } finally {
    await rm(path, { force: true })
  }
}

async function openReferences({ blobs }: Deployment, { tenant, document, name }: ReferencedFile) {
  try {
    return await blobs.openLocal({ tenant, document, name: referencesName(name) })
  } catch (error) {
    if (error instanceof BlobMissing) return undefined
    throw error
  }
}
