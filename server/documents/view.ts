// What a layer shows now: the file it is read from, under a name that changes whenever what is in it changes. A layer
// nobody edited has no row and shows the head version.
import type { PdfSource } from '../../workers/task.js'
import { notFound } from '../errors.js'
import type { DocumentContext } from '../operation.js'
import type { DocumentRow } from '../rows/document.js'

export interface View {
  readonly tenant: string
  readonly document: string
  /** Names exactly this content: hot copies and caches are kept under it. */
  readonly key: string
  readonly sha256: string
  readonly blob: string
  readonly sizeBytes: number
  readonly isLocked: boolean
}

/** Throws `NotFound` while there is nothing to read: a document that is pending or failed. */
export function viewOf({ tenant, document }: Pick<DocumentContext, 'tenant' | 'document'>): View {
  const { state, headSha256, readBlob, readBytes, encryption, headVersion }: DocumentRow = document.row
  if (state !== 'ready' || headSha256 === null || readBlob === null || readBytes === null) throw notFound('document')
  return {
    tenant: tenant.internal,
    document: document.internal,
    key: `${document.internal}/${headVersion}`,
    sha256: headSha256,
    blob: readBlob,
    sizeBytes: readBytes,
    isLocked: encryption?.requiresPassword === true,
  }
}

/** Lends the file to a job and gives it back. Throws `NotFound` when the document was deleted meanwhile. */
export async function withSource<Answer>(
  view: View,
  { deployment, password }: Pick<DocumentContext, 'deployment' | 'password'>,
  work: (source: PdfSource) => Promise<Answer>,
): Promise<Answer> {
  const { tenant, document, blob: name, key, sizeBytes } = view
  const local = await deployment.blobs.openLocal({ tenant, document, name }).catch(async (error: unknown) => {
    const row = await deployment.tables.documents.get([tenant, document])
    throw row?.state === 'ready' ? error : notFound('document')
  })
  try {
    return await work({ document, key, path: local.path, sizeBytes, ...(password ? { password } : {}) })
  } finally {
    local.release()
  }
}
