// Publishes a signed file: stores it as a blob, and puts every row of the new version into the transaction of the
// caller.
import { randomUUID } from 'node:crypto'
import type { EffectList } from '../../workers/change/effects.js'
import type { CachePins, MutationMeta } from '../../workers/contract/mutation-meta.js'
import type { SignatureCompleted } from '../../workers/contract/signatures/completion.js'
import type { SignedFile } from '../../workers/jobs/complete-signature.js'
import { eraseOverlay } from '../changes/overlay-rows.js'
import type { ChangeState } from '../changes/state.js'
import { refuseDamaged } from '../documents/damaged-file.js'
import { pagesOf } from '../documents/pages.js'
import { nextHeadPin } from '../layers/base-pins.js'
import { movePins } from '../layers/moved-pins.js'
import { publishAuthorship } from '../layers/stored-authorship.js'
import { versionPagesOf } from '../layers/version-pages.js'
import { addStoredBy } from '../operation/storage-bounds.js'
import { recordEvent } from '../outbox/record-event.js'
import type { SigningRow } from '../rows/signing.js'
import type { StoredBlob } from '../rows/version.js'
import { layerRowKinds } from '../storage/layer-row-kinds.js'
import type { PageFacts } from '../storage/page-facts.js'
import { rowKinds } from '../storage/row-kinds.js'
import { signings } from '../storage/signing-row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Transaction } from '../storage/transaction.js'
import { layerRowOf, type Publication, putRows, versionRowOf } from './signed-rows.js'
import { storeSigningAudit } from './signing-audit.js'

/** Publishes the file and returns the response. The CMS must have been checked before. */
export async function publishSigned(
  transaction: Transaction,
  state: ChangeState,
  publication: Publication,
): Promise<SignatureCompleted> {
  const { context, owner, document, layer } = state
  if (layer === undefined) throw new Error('A layer that is being signed has a row')
  const { signingId, signing, signed } = publication
  const { tables, clock, pageFacts } = context.deployment
  // The new version, and the layer above it.
  const blob = await adopt(state, signed)
  const facts = await pageFactsOf(state, signing)
  const storedFacts = facts && (await pageFacts.store(owner, facts))
  const step = { auditId: document.auditId + 1, number: document.headVersion + 1, now: clock.now() }
  const version = await versionRowOf(state, { ...publication, layer, blob, step })
  const headPin = nextHeadPin(document, step.auditId)
  const pins = movePins(
    { layer: layer.pins, pages: await pagePinsOf(state, signing.effects), first: state.first, above: headPin },
    signing.effects,
  )
  const next = layerRowOf(state, { ...publication, layer, pins: pins.layer, step })
  const cacheDelta = pins.delta && { ...pins.delta, layerVersion: next.editsVersion, working: false }
  // The response, and its audit.
  const affectedPages = signing.effects.pages.map(({ page }) => page)
  const { usageRightsRemoved } = signing
  const answer: SignatureCompleted = {
    status: 'completed',
    signature: signed.signature,
    version: { sha256: blob.sha256, byteLength: blob.sizeBytes },
    previous: signing.expectedVersion,
    protection: signed.protection,
    meta: { ...metaOf(affectedPages, cacheDelta, signingId), ...(usageRightsRemoved && { usageRightsRemoved }) },
  }
  const audit = await storeSigningAudit(state, {
    kind: 'signature.complete',
    signingId,
    payload: answer,
    affectedPages,
    cacheDelta,
    editsVersion: next.editsVersion,
    now: step.now,
  })
  // All rows that change.
  await eraseOverlay(transaction, state)
  await publishAuthorship(transaction, tables, owner)
  putRows(transaction, state, {
    signingId,
    signing,
    step,
    version,
    headPin,
    storedFacts,
    next,
    pages: pins.pages,
    audit,
  })
  const added = rowKinds.versions.storedBytes(version) + layerRowKinds.audits.storedBytes(audit)
  const freed = layerRowKinds.layers.storedBytes(layer) + layer.overlay.bytes + signings.storedBytes(signing)
  await countStored(tables, transaction, owner, added - freed)
  await addStoredBy(transaction, state.context, added)
  await recordEvent(transaction, tables, {
    type: 'version.created',
    tenant: owner.tenant,
    document: owner.document,
    order: step.auditId,
    at: step.now,
    docId: document.id,
    layerName: owner.layerName,
    version: step.number,
    sha256: blob.sha256,
    change: step.auditId,
    kind: audit.kind,
    actor: audit.sub,
  })
  return answer
}

async function adopt({ context, owner }: ChangeState, { path, sizeBytes, sha256 }: SignedFile): Promise<StoredBlob> {
  const { blobs } = context.deployment
  const { tenant, document } = owner
  const name = `version-${randomUUID()}.pdf`
  await blobs.adopt({ tenant, document, name }, path)
  // A version must not be published with an incomplete file.
  const blob = { tenant, document, name }
  refuseDamaged(blob, await blobs.size(blob), sizeBytes)
  return { name, sizeBytes, sha256 }
}

/**
 * Returns the pages of the layer, with those annotations that are still stored inline; undefined if nothing is
 * recorded.
 */
async function pageFactsOf({ context, owner, layer, document }: ChangeState, { promoted }: SigningRow) {
  const version = layer?.version ?? document.headVersion
  const recorded = await versionPagesOf(context.deployment, { owner, version })
  if (recorded === undefined) return undefined
  const objects = new Set([...(layer?.promoted ?? []), ...promoted].map(({ objectNumber }) => objectNumber))
  const inline = new Map<number, PageFacts['pages'][number]['inlineAnnotations']>()
  for (const { page, baseIndex, objectNumber } of recorded.inlineAnnotations) {
    if (objects.has(objectNumber)) continue
    inline.set(page, [...(inline.get(page) ?? []), { baseIndex, objectNumber }])
  }
  const pages = await pagesOf(context)
  return { pages: pages.map((objectNumber) => ({ objectNumber, inlineAnnotations: inline.get(objectNumber) ?? [] })) }
}

async function pagePinsOf({ context, owner }: ChangeState, { pages }: EffectList) {
  const found = new Map<number, CachePins>()
  for (const { page } of pages) {
    const row = await context.deployment.tables.pagePins.get([owner.tenant, owner.document, owner.layerName, page])
    if (row) found.set(page, row)
  }
  return found
}

const metaOf = (pages: readonly number[], cacheDelta: MutationMeta['cacheDelta'], opId: string): MutationMeta => ({
  affectedPages: pages.map((objectNumber) => ({ kind: 'objectNumber', objectNumber })),
  cacheDelta,
  opId,
  undoable: false,
})
