// Rows of the version that a completed signature publishes.
import type { CachePins } from '../../workers/contract/mutation-meta.js'
import type { SignedFile } from '../../workers/jobs/complete-signature.js'
import type { ChangeState } from '../changes/state.js'
import { redactedUntil } from '../layers/redacted.js'
import { effectsOfLayer } from '../layers/version-effects.js'
import type { AuditRow } from '../rows/audit.js'
import type { LayerRow } from '../rows/layer.js'
import type { SigningRow } from '../rows/signing.js'
import type { StoredBlob, VersionRow } from '../rows/version.js'
import type { PageFactsRow } from '../storage/page-facts.js'
import type { Transaction } from '../storage/transaction.js'

export interface Publication {
  readonly signingId: string
  readonly signing: SigningRow
  readonly signed: SignedFile
}

/** Numbers and time of the commit. */
export interface Step {
  readonly auditId: number
  /** Number of the new version. */
  readonly number: number
  readonly now: number
}

export interface NewVersion extends Publication {
  readonly layer: LayerRow
  readonly blob: StoredBlob
  readonly step: Step
}

export async function versionRowOf(
  { context, owner, document, first }: ChangeState,
  { signingId, signing, signed, layer, blob, step }: NewVersion,
): Promise<VersionRow> {
  const { tables } = context.deployment
  const promoted = [...layer.promoted, ...signing.promoted]
  const effects = await effectsOfLayer(tables, owner, {
    pins: layer.pins,
    unchanged: first,
    further: signing.effects,
  })
  return {
    blob,
    working: null,
    ...(promoted.length > 0 && { promoted }),
    parentSha256: document.headSha256,
    ...(effects && { effects }),
    producer: 'signature',
    signingId,
    redactedUntil: layer.privateBase ? document.headVersion : await redactedUntil(tables, owner, document.headVersion),
    protection: signed.protection,
    createdAt: step.now,
  }
}

export interface SignedLayer extends Publication {
  readonly layer: LayerRow
  readonly pins: LayerRow['pins']
  readonly step: Step
}

/** Returns the row of the layer over the new version: without edits, a signing or a private base. */
export function layerRowOf({ context }: ChangeState, { signing, layer, pins, step }: SignedLayer): LayerRow {
  const { signing: _, ...free } = layer
  return {
    ...free,
    version: step.number,
    privateBase: null,
    editsVersion: layer.editsVersion + 1,
    token: context.deployment.random.uuid(),
    pins,
    undoFloor: { auditId: step.auditId, reason: 'base-changed' },
    promoted: [...layer.promoted, ...signing.promoted],
    ...(layer.privateBase && { redactedUntil: layer.version }),
    carriedSince: null,
    overlay: { objects: 0, bytes: 0 },
    updatedAt: step.now,
  }
}

export interface PublishedRows extends Pick<Publication, 'signingId' | 'signing'> {
  readonly step: Step
  readonly version: VersionRow
  readonly headPin: number
  readonly storedFacts: PageFactsRow | undefined
  readonly next: LayerRow
  readonly pages: ReadonlyMap<number, CachePins>
  readonly audit: AuditRow
}

export function putRows(
  transaction: Transaction,
  { context, owner, document }: ChangeState,
  rows: PublishedRows,
): void {
  const { tables } = context.deployment
  const { signingId, signing, step, version, headPin, storedFacts, next, pages, audit } = rows
  const { number, auditId, now } = step
  const { blob } = version
  const place = [owner.tenant, owner.document] as const
  transaction.put(tables.documents.at(place), {
    ...document,
    uploaded: document.uploaded ?? uploadedBefore(document),
    headPin,
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
  transaction.put(tables.signings.at([...place, signingId]), {
    ...signing,
    state: 'completed',
    section: null,
    completedBy: auditId,
  })
  transaction.put(tables.audits.at([...place, auditId]), audit)
  for (const [page, pagePins] of pages) {
    transaction.overwrite(tables.pagePins.at([...place, owner.layerName, page]), pagePins)
  }
}

function uploadedBefore({ sizeBytes, headSha256 }: ChangeState['document']) {
  if (sizeBytes === null || headSha256 === null) throw new Error('A document that is ready has a head')
  return { sizeBytes, sha256: headSha256 }
}
