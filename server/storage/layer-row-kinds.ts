// Row kinds of layers: changed objects, pins, audit log, stored responses, authorship.
import { limits } from '../limits.js'
import { AnswerRow } from '../rows/answer.js'
import { AuditRow } from '../rows/audit.js'
import { AuthorshipRow } from '../rows/authorship.js'
import { type Content, lengthOf } from '../rows/content.js'
import { LayerRow } from '../rows/layer.js'
import { OverlayRow } from '../rows/overlay.js'
import { PagePinsRow } from '../rows/page-pins.js'
import { RefusalsRow } from '../rows/refusals.js'
import { WithholdingRow } from '../rows/withholding.js'
import { expiry } from './expiries.js'
import { claimed, ofDocument } from './owned-rows.js'
import { type BlobClaim, refersTo, rowKind } from './row-kind.js'

const ofLayer = [...ofDocument, ['layer', 'text']] as const

/** Layers by name; a layer without edits has no row. */
const layers = rowKind({
  name: 'layer',
  key: ofLayer,
  schema: LayerRow,
  references: ([tenant, document], { version }) => [refersTo('version', tenant, document, version)],
  blobs: ([tenant, document], { privateBase }) => (privateBase ? [claimed({ tenant, document }, privateBase)] : []),
  storedBytes: ({ privateBase }) => privateBase?.sizeBytes ?? 0,
})

/** Changed objects of a layer, by their number. */
const overlays = rowKind({
  name: 'overlay',
  key: [...ofLayer, ['number', 'number']],
  schema: OverlayRow,
  references: ([tenant, document, layer]) => [refersTo('layer', tenant, document, layer)],
  blobs: ([tenant, document], { body }) => packOf({ tenant, document }, body),
  storedBytes: ({ body }) => lengthOf(body),
})

const pagePins = rowKind({
  name: 'page-pins',
  key: [...ofLayer, ['page', 'number']],
  schema: PagePinsRow,
  references: ([tenant, document, layer]) => [refersTo('layer', tenant, document, layer)],
})

/** Audit rows of all layers of a document, in the order of their commits. */
const audits = rowKind({
  name: 'audit',
  key: [...ofDocument, ['id', 'number']],
  schema: AuditRow,
  references: ([tenant, document], { layerName }) => [refersTo('layer', tenant, document, layerName)],
  blobs: ([tenant, document], { content }) => (content ? packOf({ tenant, document }, content) : []),
  storedBytes: ({ content, rowsBytes = 0 }) => (content ? lengthOf(content) : 0) + rowsBytes,
})

const answers = rowKind({
  name: 'answer',
  key: [...ofLayer, ['caller', 'text'], ['opId', 'text']],
  schema: AnswerRow,
  references: ([tenant, document], { outcome }) =>
    outcome.status === 'applied' ? [refersTo('audit', tenant, document, outcome.auditId)] : [],
  blobs: ([tenant, document], { outcome }) =>
    outcome.status === 'refused' && outcome.content ? packOf({ tenant, document }, outcome.content) : [],
  storedBytes: ({ outcome }) => (outcome.status === 'refused' && outcome.content ? lengthOf(outcome.content) : 0),
})

/** Refused changes, by a keyed hash of layer and credential. */
const refusals = rowKind({
  name: 'refusals',
  key: [...ofDocument, ['id', 'text']],
  schema: RefusalsRow,
  indexes: ([tenant, document, id], { expiresAt }) => [expiry(expiresAt, 'refusals', tenant, document, id)],
  storedBytes: ({ changes }) => changes.length * limits.refusalBytes,
})

const authorship = rowKind({
  name: 'authorship',
  key: [...ofLayer, ['number', 'number']],
  schema: AuthorshipRow,
  references: ([tenant, document, layer]) => [refersTo('layer', tenant, document, layer)],
})

/** Content that redactions are still erasing. */
const withholdings = rowKind({
  name: 'withholding',
  key: ofLayer,
  schema: WithholdingRow,
  references: ([tenant, document, layer]) => [refersTo('layer', tenant, document, layer)],
})

export const layerRowKinds = {
  layers,
  overlays,
  pagePins,
  audits,
  answers,
  refusals,
  authorship,
  withholdings,
} as const

function packOf(owner: { readonly tenant: string; readonly document: string }, { at }: Content): readonly BlobClaim[] {
  return 'pack' in at ? [claimed(owner, at.pack)] : []
}
