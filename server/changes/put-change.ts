// Puts every row of a finished change into one transaction.
import { subjectOf } from '../auth/caller.js'
import { limits } from '../limits.js'
import { recordedSessionOf } from '../operation/session-id.js'
import { addStoredBy } from '../operation/storage-bounds.js'
import { recordEvent } from '../outbox/record-event.js'
import type { AuditRow } from '../rows/audit.js'
import type { LayerRow } from '../rows/layer.js'
import { layerRowKinds } from '../storage/layer-row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Transaction } from '../storage/transaction.js'
import { carriesContent } from './carried-content.js'
import type { FinishedChange } from './finished-change.js'
import { rowAfter } from './layer-row.js'
import { eraseOverlay, writeOverlay } from './overlay-rows.js'
import type { ChangeState } from './state.js'

const { audits, layers } = layerRowKinds

export interface PutChange {
  /** Id of the audit row. */
  readonly auditId: number
  /** True if webhooks wait for the change. */
  readonly isAwaited: boolean
}

/**
 * Puts the rows and returns the id of the audit row, and whether webhooks wait for the change. Rows of the layer are
 * overwritten unread, because the layer row fences them.
 */
export async function putChange(
  transaction: Transaction,
  state: ChangeState,
  change: FinishedChange,
): Promise<PutChange> {
  const { tables } = state.context.deployment
  const { tenant, document, layerName } = state.owner
  const { changed, layer, next, now, pins, privateBase } = change
  const auditId = state.document.auditId + 1
  const ofDocument = { auditId, nextObject: changed.nextObject, updatedAt: now }
  transaction.put(tables.documents.at([tenant, document]), { ...state.document, ...ofDocument })
  const overlay = await putOverlay(transaction, state, change)
  const numbers = changed.nextObject - state.document.nextObject
  const { ops, work } = change.plan
  const carries = carriesContent({ ops, steps: work.kind === 'undo' ? work.steps : [], items: changed.items })
  const after = { changed, token: next.token, auditId, pins: pins.layer, overlay, privateBase, carries, numbers, now }
  const row = rowAfter(layer, after)
  transaction.put(tables.layers.at([tenant, document, layerName]), row)
  const audit = auditRowOf(state, change, row.editsVersion)
  await countStored(
    tables,
    transaction,
    state.owner,
    contentOf(row) - contentOf(state.layer) + audits.storedBytes(audit),
  )
  await addStoredBy(transaction, state.context, change.newBytes + (audit.rowsBytes ?? 0))
  for (const [page, pagePins] of pins.pages) {
    transaction.overwrite(tables.pagePins.at([tenant, document, layerName, page]), pagePins)
  }
  for (const [number, author] of change.authorship) {
    transaction.overwrite(tables.authorship.at([tenant, document, layerName, number]), author)
  }
  transaction.put(tables.audits.at([tenant, document, auditId]), audit)
  const isAwaited = await recordEvent(transaction, tables, {
    type: 'document.changed',
    tenant,
    document,
    order: auditId,
    at: now,
    docId: state.document.id,
    layerName,
    version: row.version,
    change: auditId,
    kind: audit.kind,
    actor: audit.sub,
  })
  return { auditId, isAwaited }
}

/** Returns the number of bytes of a layer's content, including its overlay rows, which are overwritten unread. */
const contentOf = (layer: LayerRow | undefined): number => layers.storedBytes(layer) + (layer?.overlay.bytes ?? 0)

async function putOverlay(transaction: Transaction, state: ChangeState, change: FinishedChange) {
  const { changed, bodies, privateBase } = change
  if (privateBase) {
    await putWithholding(transaction, state, await eraseOverlay(transaction, state))
    return { objects: 0, bytes: 0 }
  }
  const images = bodies.flatMap((body, index) => {
    const image = changed.images[index]
    return image === undefined ? [] : [{ image, body }]
  })
  return writeOverlay(transaction, state, images)
}

/** Records that redacted content must be erased. The layer row already hides it from readers. */
async function putWithholding(
  transaction: Transaction,
  { context, owner, layer, document: { auditId: until } }: ChangeState,
  packs: ReadonlySet<string>,
): Promise<void> {
  const { tables, clock } = context.deployment
  const { tenant, document, layerName } = owner
  const slot = tables.withholdings.at([tenant, document, layerName])
  const earlier = await transaction.read(slot)
  const bases = layer?.privateBase ? [layer.privateBase.name] : []
  const blobs = [...new Set([...(earlier?.blobs ?? []), ...packs, ...bases])]
  // Blobs beyond the limit are collected later as orphans.
  transaction.put(slot, { until, blobs: blobs.slice(0, limits.withheldBlobsMax), startedAt: clock.now() })
}

function auditRowOf(
  { context, owner }: ChangeState,
  { changed, effects, opId, kind, plan, rights, facts, content, cacheDelta, now }: FinishedChange,
  editsVersion: number,
): AuditRow {
  const affectedPages = effects.pages.map(({ page }) => page)
  const [page = null] = affectedPages
  const row: AuditRow = {
    layerName: owner.layerName,
    editsVersion,
    at: now,
    sub: subjectOf(context.caller),
    kind,
    page: affectedPages.length === 1 ? page : null,
    affectedPages,
    originSessionId: recordedSessionOf(context),
    opId,
    undoOf: plan.undoOf,
    content,
    cacheDelta,
    isUndoable: changed.undo !== null,
    rights: [...rights],
    facts,
  }
  return { ...row, rowsBytes: rowsBytesOf(row) }
}

const rowsBytesOf = (row: AuditRow): number =>
  Buffer.byteLength(JSON.stringify({ ...row, content: null })) + limits.changeRowsBytes
