// Moves a layer to the head version of its document, in a commit of its own, before a write uses it. After a crash, or
// beside another process, the layer is moved completely or not at all: the commit expects the rows that it was computed
// from.
import { setImmediate } from 'node:timers/promises'
import type { MergeConflicts } from '../../workers/contract/merge-conflict.js'
import { subjectOf } from '../auth/caller.js'
import type { MovedLayer } from '../caches/moved-layer.js'
import { isSealed, type LayerKey, storeContents } from '../layers/content.js'
import { redactedUntil } from '../layers/redacted.js'
import { limits } from '../limits.js'
import { reread } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import { lengthOf } from '../rows/content.js'
import type { LayerRow } from '../rows/layer.js'
import { auditTopic } from '../storage/audit-topic.js'
import { countedAudit } from '../storage/counted-audit.js'
import { layerRowKinds } from '../storage/layer-row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { computeMove, usesNumbers } from './compute-move.js'

export interface LayerMove extends MergeConflicts {
  readonly auditId: number
  /** SHA-256 of the version that the layer is over now. */
  readonly baseSha: string
}

/** Kind of the audit row of a move, and of the event. */
export const versionedKind = 'document.versioned'

/**
 * Moves the layer if it is behind the head and can be merged; the caller holds the lease of the document. Returns
 * undefined if the layer stays as it is. Throws errors after which a repetition may succeed, such as an overloaded
 * pool. `isWanted`: judges the layer as it would be after the move.
 */
export async function moveLayer(
  context: DocumentContext,
  isWanted: (moved: DocumentContext) => Promise<boolean> = async () => true,
): Promise<LayerMove | undefined> {
  for (let attempts = 0; attempts < limits.commitAttemptsMax; attempts++) {
    const current = await reread(context)
    if (isBeingSigned(current)) return undefined
    const move = await computeMove({ ...current, password: context.password })
    if (move?.state !== 'moved') return undefined
    const after = { ...move.row, undoFloor: undoFloorOf(current.document.row.auditId + 1) }
    if (!(await isWanted({ ...current, layer: after, moved: move }))) return undefined
    const done = await transact(current.deployment, (transaction) => put(transaction, current, move), {
      outcomeOf: async () => outcomeOf(current, move),
    })
    if (done === 'stale') continue
    current.deployment.bus.publish(auditTopic(current.document.internal))
    return done
  }
  return undefined
}

const undoFloorOf = (auditId: number) => ({ auditId, reason: 'base-changed' }) as const

/** True while the layer is being signed: the prepared section contains its edits as they are, so it must not move. */
function isBeingSigned({ layer, deployment }: DocumentContext): boolean {
  return layer?.signing !== undefined && layer.signing.expiresAt > deployment.clock.now()
}

async function put(transaction: Transaction, context: DocumentContext, move: MovedLayer): Promise<LayerMove | 'stale'> {
  const { deployment, tenant, document: found, layerName } = context
  const { tables, clock } = deployment
  const owner = { tenant: tenant.internal, document: found.internal, layerName }
  const place = [owner.tenant, owner.document, layerName] as const
  const document = await transaction.read(tables.documents.at([owner.tenant, owner.document]))
  const layer = await transaction.read(tables.layers.at(place))
  const isCurrent = layer?.token === move.stored.token && document?.headVersion === move.row.version
  if (document === undefined || layer === undefined || !isCurrent || document.state !== 'ready') return 'stale'
  if (usesNumbers(move) && document.nextObject !== move.numbers.before) return 'stale'
  const now = clock.now()
  const auditId = document.auditId + 1
  const { audit, bodies } = await storeMoveContents(context, owner, { move, now, editsVersion: layer.editsVersion })
  const overlay = await putOverlay(transaction, context, { owner, move, bodies })
  const { signing: _, ...unsigned } = { ...layer, ...move.row }
  const next: LayerRow = {
    ...unsigned,
    overlay,
    undoFloor: undoFloorOf(auditId),
    ...(move.row.withheldUntil > layer.withheldUntil && { withheldUntil: document.auditId }),
    moved: { auditId, ...copyOf(move.conflicts) },
    updatedAt: now,
  }
  const nextObject = Math.max(document.nextObject, usesNumbers(move) ? move.numbers.after : 0)
  const numbersTaken = (layer.numbersTaken ?? 0) + nextObject - document.nextObject
  transaction.put(tables.documents.at([owner.tenant, owner.document]), {
    ...document,
    auditId,
    nextObject,
    updatedAt: now,
  })
  transaction.put(tables.layers.at(place), { ...next, numbersTaken })
  transaction.put(tables.audits.at([owner.tenant, owner.document, auditId]), audit)
  for (const [page, pins] of move.pagePins) transaction.overwrite(tables.pagePins.at([...place, page]), pins)
  const added = next.overlay.bytes - layer.overlay.bytes + layerRowKinds.audits.storedBytes(audit)
  await countStored(tables, transaction, owner, added)
  return { auditId, baseSha: document.headSha256 ?? '', ...copyOf(move.conflicts) }
}

const copyOf = ({ count, conflicts }: MergeConflicts): MergeConflicts => ({ count, conflicts: [...conflicts] })

interface OverlayMove {
  readonly owner: LayerKey
  readonly move: MovedLayer
  readonly bodies: Awaited<ReturnType<typeof storeContents>>
}

/** Replaces the overlay rows, which the check of the layer row protects from other writers. Returns the new totals. */
async function putOverlay(
  transaction: Transaction,
  { deployment }: DocumentContext,
  { owner, move, bodies }: OverlayMove,
): Promise<LayerRow['overlay']> {
  const { overlays } = deployment.tables
  const place = [owner.tenant, owner.document, owner.layerName] as const
  let bytes = 0
  let rows = 0
  for await (const { key, row } of overlays.range(place)) {
    if (++rows % limits.rowsAtOnce === 0) await setImmediate()
    if (move.kept.has(key[3])) bytes += lengthOf(row.body)
    else transaction.erase(overlays.at(key))
  }
  for (const [index, { number, generation, isHidden, body }] of move.images.entries()) {
    const stored = bodies[index]
    if (stored === undefined) throw new Error('A stored piece is missing')
    transaction.overwrite(overlays.at([...place, number]), { generation, isHidden, body: stored })
    bytes += body.length
  }
  return { objects: move.kept.size + move.images.length, bytes }
}

interface MoveFacts {
  readonly move: MovedLayer
  readonly now: number
  readonly editsVersion: number
}

/** Stores the images and the payload of the audit row in one blob, if they are large. */
async function storeMoveContents(context: DocumentContext, owner: LayerKey, { move, now, editsVersion }: MoveFacts) {
  const { deployment, document, caller } = context
  const opId = `${versionedKind} ${move.row.token}`
  const pages = move.effects.pages.map(({ page }) => page)
  const meta = {
    affectedPages: pages.map((objectNumber) => ({ kind: 'objectNumber', objectNumber }) as const),
    cacheDelta: move.delta,
    opId,
    undoable: false,
  }
  const item = { type: versionedKind, ...(await payloadOf(context, move)), meta }
  const payload = JSON.stringify({ answer: { items: [item], meta }, undo: null, groups: [] })
  const pieces = [Buffer.from(payload, 'utf8'), ...move.images.map(({ body }) => body)]
  const stored = await storeContents(deployment, { layer: owner, isSealed: isSealed(document.row), pieces })
  const [content, ...bodies] = stored
  if (content === undefined) throw new Error('A stored piece is missing')
  const [page = null] = pages
  const audit = countedAudit({
    layerName: owner.layerName,
    editsVersion,
    at: now,
    sub: subjectOf(caller),
    kind: versionedKind,
    page: pages.length === 1 ? page : null,
    affectedPages: pages,
    // The session whose write caused the move must get the event too.
    originSessionId: null,
    opId,
    undoOf: null,
    content,
    cacheDelta: move.delta,
    isUndoable: false,
    rights: [],
  })
  return { audit, bodies }
}

async function payloadOf({ deployment, tenant, document }: DocumentContext, { stored, conflicts }: MovedLayer) {
  const { row, internal } = document
  const { tables } = deployment
  // A hash of what was redacted would prove a guess of it, and whoever is shown the layer now gets the event.
  const isRedacted =
    stored.version <= (await redactedUntil(tables, { tenant: tenant.internal, document: internal }, row.headVersion))
  const before = isRedacted ? null : await tables.versions.get([tenant.internal, internal, stored.version])
  return {
    version: { sha256: row.headSha256, byteLength: row.sizeBytes },
    previous: { baseSha256: before?.blob.sha256 ?? null, editsVersion: stored.editsVersion },
    ...copyOf(conflicts),
  }
}

/** Resolves a commit of unknown outcome: the token of the layer is the one of the move exactly if it was committed. */
async function outcomeOf(context: DocumentContext, move: MovedLayer): Promise<LayerMove | undefined> {
  const { deployment, tenant, document, layerName } = context
  const layer = await deployment.tables.layers.get([tenant.internal, document.internal, layerName])
  if (layer?.token !== move.row.token || layer.moved === undefined) return undefined
  return { auditId: layer.moved.auditId, baseSha: document.row.headSha256 ?? '', ...copyOf(layer.moved) }
}
