// View of a layer: the file to read and the edits over it, under a key that changes with every change of the layer. A
// layer without edits has no row and shows the head version.

import { JobRefusal } from '../../workers/contract/job-refusal.js'
import type { Overlay, PdfSource } from '../../workers/messages/task.js'
import type { MovedContent } from '../caches/moved-layer.js'
import { accountOf } from '../operation/account.js'
import type { DocumentContext } from '../operation/operation.js'
import { notFound } from '../refusals/refusal.js'
import type { DocumentRow } from '../rows/document.js'
import type { LayerRow } from '../rows/layer.js'
import type { PromotedAnnotations } from '../rows/version.js'
import { BlobMissing } from '../storage/blobs.js'
import type { Owner } from '../storage/large-values.js'
import { LayerMoved } from './layer-moved.js'
import { notReadable } from './not-readable.js'
import { withImages } from './overlay-images.js'

export interface View {
  readonly tenant: string
  readonly document: string
  readonly layerName: string
  /** Key of this content; threads cache open documents under it. */
  readonly key: string
  /** First object number that is unused in all layers of the document. */
  readonly nextObject: number
  /** Number of the base version; 0 = the layer has a private base. */
  readonly version: number
  /** Edits of the layer; undefined = none. */
  readonly edits: LayerEdits | undefined
  /** Annotations that the uploaded file stores inline and that are objects in the base. */
  readonly promoted: PromotedAnnotations
  /** Version that was uploaded, or that a redaction wrote. */
  readonly base: { readonly sha256: string; readonly sizeBytes: number }
  /** Blob to read: the base, or its normalised copy. */
  readonly blob: string
  readonly sizeBytes: number
  readonly isLocked: boolean
}

export interface LayerEdits {
  /** Token of the last committed change, which the overlay rows belong to. */
  readonly token: string
  readonly overlay: Omit<Overlay, 'images'>
  /** Number of images. */
  readonly count: number
  /** Result of a merge over the head version that is not stored yet. */
  readonly moved: MovedContent | undefined
}

export type ViewContext = Pick<DocumentContext, 'deployment' | 'tenant' | 'document' | 'layerName' | 'layer' | 'moved'>

/** Returns the current view. Throws `NotFound` for a pending or failed document. */
export async function viewOf(context: ViewContext): Promise<View> {
  const { tenant, document, layer, layerName, moved } = context
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
      moved,
    },
    ...file,
    nextObject,
    isLocked: encryption?.requiresPassword === true,
  }
}

type BaseFile = Pick<View, 'version' | 'base' | 'blob' | 'sizeBytes' | 'promoted'>

async function fileOf({ deployment, tenant, document, layer }: ViewContext): Promise<BaseFile> {
  const { headVersion, headSha256, sizeBytes, readBlob, readBytes } = document.row
  if (layer?.privateBase) return privateFile(layer.privateBase, layer.promoted)
  const version = layer?.version ?? headVersion
  const owner = { tenant: tenant.internal, document: document.internal }
  if (version === headVersion && headSha256 !== null && sizeBytes !== null && readBlob !== null && readBytes !== null) {
    const promoted = await promotedIn(deployment, owner, document.row)
    return { version, base: { sha256: headSha256, sizeBytes }, blob: readBlob, sizeBytes: readBytes, promoted }
  }
  const row = await deployment.tables.versions.get([owner.tenant, owner.document, version])
  if (!row) throw notFound('document')
  const read = row.working ?? row.blob
  return { version, base: row.blob, blob: read.name, sizeBytes: read.sizeBytes, promoted: row.promoted ?? [] }
}

const privateFile = (base: NonNullable<LayerRow['privateBase']>, promoted: PromotedAnnotations): BaseFile => ({
  version: 0,
  promoted,
  base,
  blob: base.name,
  sizeBytes: base.sizeBytes,
})

/** Returns the annotations that the uploaded file stores inline and that are objects in the head version. */
export async function promotedIn(
  { tables }: Pick<DocumentContext['deployment'], 'tables'>,
  { tenant, document }: Owner,
  { headVersion }: Pick<DocumentRow, 'headVersion'>,
): Promise<PromotedAnnotations> {
  // The first version is the uploaded file.
  if (headVersion <= 1) return []
  return (await tables.versions.get([tenant, document, headVersion]))?.promoted ?? []
}

/** Returns the view without the edits of the layer. */
export const baseOf = (view: View): View => ({ ...view, key: keyOfBase(view.document, view), edits: undefined })

/**
 * True if a redacted layer was edited since. Its file holds what these edits replaced, so it leaves the server only
 * written anew, never with the edits behind it.
 */
export const isEditedSinceRedaction = ({ version, edits }: View): boolean => version === 0 && (edits?.count ?? 0) > 0

/** Returns the key of a base. It includes the blob, because a repair replaces the file of a version. */
const keyOfBase = (document: string, { version, blob }: BaseFile): string => `${document}/${version}/${blob}`

/** Returns the key of an edited layer. `token`: token of the last change. */
export const keyOfLayer = ({ id, token }: Pick<LayerRow, 'id' | 'token'>, { blob }: Pick<View, 'blob'>): string =>
  `${id}/${token}/${blob}`

/**
 * Opens the file with the edits of the layer for a job and releases it afterwards. The job runs a second time if the
 * thread needs the edits. Throws `NotFound` if the document was deleted meanwhile, `LayerMoved` if the layer was
 * changed.
 */
export function withSource<Answer>(view: View, context: SourceContext, work: Work<Answer>): Promise<Answer> {
  const { edits } = view
  return withFile(view, context, async (source) => {
    if (!edits) return work(withPromoted(view, source))
    const withOverlay = (overlay: Overlay) => work({ ...source, overlay })
    return withOverlay(edits.overlay).catch((error: unknown) => {
      if (!isOverlayWanted(error)) throw error
      return withImages({ ...view, edits }, context, (images) => withOverlay({ ...edits.overlay, images }))
    })
  })
}

/** Promoted annotations keep their names in layers without edits too. */
const withPromoted = ({ promoted, nextObject }: View, source: PdfSource): PdfSource =>
  promoted.length === 0 ? source : { ...source, overlay: { images: [], nextObject, promoted } }

/** Opens the file for a job that always needs the edits, see `withSource`. */
export function withEditedSource<Answer>(view: View, context: SourceContext, work: Work<Answer>): Promise<Answer> {
  const { edits } = view
  return withFile(view, context, async (source) => {
    if (!edits) return work(withPromoted(view, source))
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
    if (row?.state !== 'ready') throw notReadable(row)
    // The private file of a layer goes with the next redaction, and with its signature.
    throw view.version === 0 && error instanceof BlobMissing ? new LayerMoved(error) : error
  })
  try {
    return await work({ document, account, key, path: local.path, sizeBytes, ...(password ? { password } : {}) })
  } finally {
    local.release()
  }
}

/** True if no thread has the current state of the layer open. */
const isOverlayWanted = (error: unknown): boolean => error instanceof JobRefusal && error.code === 'OverlayWanted'
