// Publishes a signed file: stores it as a blob, and puts every row of the new version into the transaction of the caller.
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
import { effectsOfLayer } from '../layers/version-effects.js'
import { versionPagesOf } from '../layers/version-pages.js'
import type { LayerRow } from '../rows/layer.js'
import type { SigningRow } from '../rows/signing.js'
import type { StoredBlob, VersionRow } from '../rows/version.js'
import { layerRowKinds } from '../storage/layer-row-kinds.js'
import type { PageFacts } from '../storage/page-facts.js'
import { rowKinds, thumbnailName } from '../storage/row-kinds.js'
import { signings } from '../storage/signing-row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Transaction } from '../storage/transaction.js'
import { signingAudit } from './signing-audit.js'

export interface Publication {
  readonly signingId: string
  readonly signing: SigningRow
  readonly signed: SignedFile
}

export async function publishSigned(
  transaction: Transaction,
  state: ChangeState,
  { signingId, signing, signed }: Publication,
): Promise<SignatureCompleted> {
  const { context, owner, document, layer } = state
  if (layer === undefined) throw new Error('A layer that is being signed has a row')
  const { tables, clock, random, pageFacts } = context.deployment
  const place = [owner.tenant, owner.document] as const
  const now = clock.now()
  const blob = await adopt(state, signed)
  const facts = await pageFactsOf(state, signing)
  const storedFacts = facts && (await pageFacts.store(owner, facts))
  const number = document.headVersion + 1
  const auditId = document.auditId + 1
  const promoted = [...layer.promoted, ...signing.promoted]
  const effects = await effectsOfLayer(tables, owner, {
    pins: layer.pins,
    unchanged: state.first,
    further: signing.effects,
  })
  const version: VersionRow = {
    blob,
    working: null,
    ...(promoted.length > 0 && { promoted }),
    parentSha256: document.headSha256,
    ...(effects && { effects }),
    producer: 'signature',
    signingId,
    protection: signed.protection,
    createdAt: now,
  }
  const pinOfVersion = nextHeadPin(document, auditId)
  const pins = movePins(
    { layer: layer.pins, pages: await pagePinsOf(state, signing.effects), first: state.first, above: pinOfVersion },
    signing.effects,
  )
  const { signing: _, ...free } = layer
  const next: LayerRow = {
    ...free,
    version: number,
    privateBase: null,
    editsVersion: layer.editsVersion + 1,
    token: random.uuid(),
    pins: pins.layer,
    undoFloor: { auditId, reason: 'base-changed' },
    promoted,
    ...(layer.privateBase && { redactedUntil: layer.version }),
    overlay: { objects: 0, bytes: 0 },
    updatedAt: now,
  }
  const cacheDelta = pins.delta && { ...pins.delta, layerVersion: next.editsVersion, working: false }
  const affectedPages = signing.effects.pages.map(({ page }) => page)
  const answer: SignatureCompleted = {
    status: 'completed',
    signature: signed.signature,
    version: { sha256: blob.sha256, byteLength: blob.sizeBytes },
    previous: signing.expectedVersion,
    protection: signed.protection,
    meta: metaOf(affectedPages, cacheDelta, signingId),
  }
  const audit = await signingAudit(state, {
    kind: 'signature.complete',
    signingId,
    payload: answer,
    affectedPages,
    cacheDelta,
    editsVersion: next.editsVersion,
    now,
  })
  await eraseOverlay(transaction, state)
  await publishAuthorship(transaction, tables, owner)
  const completed: SigningRow = { ...signing, state: 'completed', section: null, completedBy: auditId }
  transaction.put(tables.documents.at(place), {
    ...document,
    uploaded: document.uploaded ?? uploadedBefore(document),
    headPin: pinOfVersion,
    headVersion: number,
    headSha256: blob.sha256,
    sizeBytes: blob.sizeBytes,
    readBlob: blob.name,
    readBytes: blob.sizeBytes,
    auditId,
    updatedAt: now,
  })
  transaction.put(tables.versions.at([...place, number]), version)
  if (storedFacts) transaction.put(tables.pageFacts.at([...place, number]), storedFacts)
  transaction.put(tables.layers.at([...place, owner.layerName]), next)
  transaction.put(tables.signings.at([...place, signingId]), completed)
  transaction.put(tables.audits.at([...place, auditId]), audit)
  for (const [page, pagePins] of pins.pages) {
    transaction.overwrite(tables.pagePins.at([...place, owner.layerName, page]), pagePins)
  }
  const added = rowKinds.versions.storedBytes(version) + layerRowKinds.audits.storedBytes(audit)
  const freed = layerRowKinds.layers.storedBytes(layer) + layer.overlay.bytes + signings.storedBytes(signing)
  await countStored(tables, transaction, owner, added - freed)
  return answer
}

function uploadedBefore({ sizeBytes, headSha256 }: ChangeState['document']) {
  if (sizeBytes === null || headSha256 === null) throw new Error('A document that is ready has a head')
  return { sizeBytes, sha256: headSha256 }
}

async function adopt({ context, owner }: ChangeState, { path, sizeBytes, sha256 }: SignedFile): Promise<StoredBlob> {
  const { blobs } = context.deployment
  const { tenant, document } = owner
  const name = `version-${sha256}.pdf`
  await blobs.adopt({ tenant, document, name }, path)
  // A version must not be published with an incomplete file.
  refuseDamaged(await blobs.size({ tenant, document, name }), sizeBytes)
  // It shows the former version; a thumbnail that is missing is drawn again.
  await blobs.remove({ tenant, document, name: thumbnailName })
  return { name, sizeBytes, sha256 }
}

/** Returns the pages of the layer, with those annotations that are still stored inline; undefined if nothing is recorded. */
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
