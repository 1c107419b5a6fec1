// Computes the move of a layer to the head version, once for all requests that need it: the merge in a worker, and the
// row and pins that follow from it. Nothing is stored.
import { createHash } from 'node:crypto'
import { JobRefusal } from '../../workers/contract/job-refusal.js'
import type { MergeOutput } from '../../workers/jobs/merge.js'
import { PoolFailure } from '../../workers/messages/task.js'
import type { ComputedMove, MovedLayer } from '../caches/moved-layer.js'
import { promotedIn, type View, viewOf, withEditedSource } from '../documents/view.js'
import { redactedUntil } from '../layers/redacted.js'
import { versionPagesOf } from '../layers/version-pages.js'
import type { DocumentContext } from '../operation/operation.js'
import type { LayerRow } from '../rows/layer.js'
import { movedPinsOf } from './moved-pins-of.js'

/**
 * Computes the move; undefined if the layer is already over the head, has no row, was redacted, or cannot be opened by
 * this request.
 */
export async function computeMove(context: DocumentContext): Promise<ComputedMove | undefined> {
  const { document, layer, password, deployment } = context
  const { row } = document
  if (layer === undefined || layer.privateBase !== null || layer.version >= row.headVersion) return undefined
  if (row.state !== 'ready' || row.readBlob === null) return undefined
  if (row.encryption?.requiresPassword === true && password === undefined) return undefined
  const view = await viewOf({ ...context, moved: undefined })
  const key = [view.key, row.headVersion, row.readBlob]
  const known = deployment.caches.moves.get(key)
  // Another layer may have used the object numbers of the merge since it was computed.
  if (known !== undefined && !areNumbersUsed(known, row.nextObject)) return known
  return deployment.caches.moves.renew(key, () => compute({ ...context, moved: undefined }, layer, view))
}

const areNumbersUsed = (move: ComputedMove, nextObject: number): boolean =>
  move.state === 'moved' && usesNumbers(move) && nextObject !== move.numbers.before

/** True if the merge created objects. */
export const usesNumbers = ({ numbers }: Pick<MovedLayer, 'numbers'>): boolean => numbers.after > numbers.before

async function compute(context: DocumentContext, layer: LayerRow, view: View): Promise<ComputedMove> {
  const owner = { tenant: context.tenant.internal, document: context.document.internal }
  const { row } = context.document
  const isRedacted = layer.version <= (await redactedUntil(context.deployment.tables, owner, row.headVersion))
  if (isRedacted && layer.carriedSince !== null) {
    return { state: 'behind', reason: 'redaction', auditId: layer.carriedSince }
  }
  const merged = await runMerge(context, { layer, view, isRedacted }).catch(orBehind)
  if (merged.state === 'behind') return merged
  const ofHead = await promotedIn(context.deployment, owner, row)
  const numbers = { before: row.nextObject, after: Math.max(merged.nextObject, row.nextObject) }
  const pins = await movedPinsOf(context, layer, merged)
  const objects = merged.images.length + merged.kept.length
  const moved: LayerRow = {
    ...layer,
    version: row.headVersion,
    token: tokenOf(layer, { head: row.headVersion, sha256: row.headSha256, numbers }),
    pins: pins.layer,
    promoted: [...new Map([...ofHead, ...layer.promoted].map((one) => [one.objectNumber, one])).values()],
    overlay: { ...layer.overlay, objects },
  }
  return {
    state: 'moved',
    stored: layer,
    row: moved,
    images: merged.images,
    kept: new Set(merged.kept),
    pagePins: pins.pages,
    conflicts: merged.conflicts,
    effects: pins.effects,
    delta: pins.delta && { ...pins.delta, layerVersion: layer.editsVersion, working: objects > 0 },
    numbers,
  }
}

interface Merging {
  readonly layer: LayerRow
  readonly view: View
  /** True if the layer contains, in its version, what was redacted from the head. */
  readonly isRedacted: boolean
}

async function runMerge(context: DocumentContext, { layer, view, isRedacted }: Merging): Promise<MergeOutput> {
  const { deployment, tenant, document } = context
  const owner = { tenant: tenant.internal, document: document.internal }
  const inline = (await versionPagesOf(deployment, { owner, version: layer.version }))?.inlineAnnotations ?? []
  const promoted = [...(await promotedIn(deployment, owner, document.row)), ...layer.promoted]
  const name = document.row.readBlob ?? ''
  const head = await deployment.blobs.openLocal({ ...owner, name })
  try {
    return await withEditedSource(view, context, (source) =>
      deployment.workers.run('merge', {
        source: source.overlay ? source : { ...source, overlay: { images: [], nextObject: view.nextObject, promoted } },
        onto: head.path,
        inline,
        promoted,
        nextObject: document.row.nextObject,
        conflictsGoTo: isRedacted ? 'version' : 'layer',
      }),
    )
  } finally {
    head.release()
  }
}

/** Refusals of a merge that leave the layer over its old version, where it can still be read and changed. */
const lastingFailures: ReadonlySet<string> = new Set([
  'MalformedPdf',
  'DocOpenFailed',
  'PayloadTooLarge',
  'LayerFull',
  'RepairWanted',
  'ObjectNumberUnavailable',
])

/** Converts errors that would recur into the state `behind`; throws others. */
function orBehind(error: unknown): { readonly state: 'behind'; readonly reason: 'failed' } {
  const isOfFile = error instanceof JobRefusal && lastingFailures.has(error.code)
  const isCostly =
    error instanceof PoolFailure && !error.isStarved && ['timed-out', 'quarantined', 'worker-lost'].includes(error.code)
  if (isOfFile || isCostly) return { state: 'behind', reason: 'failed' }
  throw error
}

/**
 * Returns the token of the merged layer. Open copies are cached under it, so equal merges have equal tokens in all
 * processes.
 */
function tokenOf(
  { token }: LayerRow,
  { head, sha256, numbers }: { readonly head: number; readonly sha256: string | null } & Pick<MovedLayer, 'numbers'>,
): string {
  const used = usesNumbers({ numbers }) ? numbers.before : 0
  return createHash('sha256')
    .update(JSON.stringify([token, head, sha256, used]))
    .digest('base64url')
    .slice(0, 32)
}
