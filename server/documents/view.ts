// What a layer shows now: the file it is read from and what it changed of that, under a name that changes whenever the
// layer does. A layer nobody edited has no row and shows the head version.
import { JobRefusal } from '../../workers/contract/job-refusal.js'
import type { Overlay, PdfSource } from '../../workers/messages/task.js'
import { accountOf } from '../operation/account.js'
import type { DocumentContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import type { LayerRow } from '../rows/layer.js'
import { notReadable } from './not-readable.js'
import { withImages } from './overlay-images.js'

export interface View {
  readonly tenant: string
  readonly document: string
  readonly layerName: string
  /** Names exactly this content: hot copies are kept under it. */
  readonly key: string
  /** The version the layer sits over; 0 = none, the layer has a base of its own. */
  readonly version: number
  /** What the layer changed; undefined = nothing, it shows its version as it is. */
  readonly edits: LayerEdits | undefined
  /** What was uploaded, or what a redaction wrote anew. */
  readonly base: { readonly sha256: string; readonly sizeBytes: number }
  /** What is read: the base, or the normalised copy of it. */
  readonly blob: string
  readonly sizeBytes: number
  readonly isLocked: boolean
}

export interface LayerEdits {
  /** Of the last committed change: the overlay rows belong to it. */
  readonly token: string
  readonly overlay: Omit<Overlay, 'images'>
  /** Rows of the overlay. */
  readonly count: number
}

export type ViewContext = Pick<DocumentContext, 'deployment' | 'tenant' | 'document' | 'layerName' | 'layer'>

/** Throws `NotFound` while there is nothing to read: a document that is pending or failed. */
export async function viewOf(context: ViewContext): Promise<View> {
  const { tenant, document, layer, layerName } = context
  const { state, encryption, nextObject } = document.row
  if (state !== 'ready') throw notReadable(document.row)
  const file = await fileOf(context)
  return {
    tenant: tenant.internal,
    document: document.internal,
    layerName,
    key: layer ? keyOfLayer(layer, file) : keyOfBase(document.internal, file),
    edits: layer && {
      token: layer.token,
      overlay: { nextObject, promoted: layer.promoted },
      count: layer.overlay.objects,
    },
    ...file,
    isLocked: encryption?.requiresPassword === true,
  }
}

type BaseFile = Pick<View, 'version' | 'base' | 'blob' | 'sizeBytes'>

async function fileOf({ deployment, tenant, document, layer }: ViewContext): Promise<BaseFile> {
  const { headVersion, headSha256, sizeBytes, readBlob, readBytes } = document.row
  if (layer?.privateBase) return privateFile(layer.privateBase)
  const version = layer?.version ?? headVersion
  if (version === headVersion && headSha256 !== null && sizeBytes !== null && readBlob !== null && readBytes !== null) {
    return { version, base: { sha256: headSha256, sizeBytes }, blob: readBlob, sizeBytes: readBytes }
  }
  const row = await deployment.tables.versions.get([tenant.internal, document.internal, version])
  if (!row) throw notFound('document')
  const read = row.working ?? row.blob
  return { version, base: row.blob, blob: read.name, sizeBytes: read.sizeBytes }
}

const privateFile = (base: NonNullable<LayerRow['privateBase']>): BaseFile => ({
  version: 0,
  base,
  blob: base.name,
  sizeBytes: base.sizeBytes,
})

/** The same file without what the layer changed. */
export const baseOf = (view: View): View => ({ ...view, key: keyOfBase(view.document, view), edits: undefined })

/** Includes the blob, because a repair gives a version another file. */
const keyOfBase = (document: string, { version, blob }: BaseFile): string => `${document}/${version}/${blob}`

/** `token`: token of the last change. */
export const keyOfLayer = ({ id, token }: Pick<LayerRow, 'id' | 'token'>, { blob }: Pick<View, 'blob'>): string =>
  `${id}/${token}/${blob}`

/**
 * Lends the file, with the edits of the layer, to a job and gives it back; the job runs twice where a thread must be given
 * the edits first. Throws `NotFound` when the document was deleted meanwhile, `LayerMoved` when the layer was changed.
 */
export function withSource<Answer>(view: View, context: SourceContext, work: Work<Answer>): Promise<Answer> {
  const { edits } = view
  return withFile(view, context, async (source) => {
    if (!edits) return work(source)
    const withOverlay = (overlay: Overlay) => work({ ...source, overlay })
    return withOverlay(edits.overlay).catch((error: unknown) => {
      if (!isOverlayWanted(error)) throw error
      return withImages({ ...view, edits }, context, (images) => withOverlay({ ...edits.overlay, images }))
    })
  })
}

/** The same for a job that needs the edits in any case. */
export function withEditedSource<Answer>(view: View, context: SourceContext, work: Work<Answer>): Promise<Answer> {
  const { edits } = view
  return withFile(view, context, async (source) => {
    if (!edits) return work(source)
    return withImages({ ...view, edits }, context, (images) =>
      work({ ...source, overlay: { ...edits.overlay, images } }),
    )
  })
}

type SourceContext = Pick<DocumentContext, 'deployment' | 'password' | 'tenant' | 'caller'>
type Work<Answer> = (source: PdfSource) => Promise<Answer>

async function withFile<Answer>(view: View, context: SourceContext, work: Work<Answer>): Promise<Answer> {
  const { deployment, password } = context
  const account = accountOf(context)
  const { tenant, document, blob: name, key, sizeBytes } = view
  const local = await deployment.blobs.openLocal({ tenant, document, name }).catch(async (error: unknown) => {
    const row = await deployment.tables.documents.get([tenant, document])
    throw row?.state === 'ready' ? error : notReadable(row)
  })
  try {
    return await work({ document, account, key, path: local.path, sizeBytes, ...(password ? { password } : {}) })
  } finally {
    local.release()
  }
}

/** No thread has the layer open as it is now. */
const isOverlayWanted = (error: unknown): boolean => error instanceof JobRefusal && error.code === 'OverlayWanted'
