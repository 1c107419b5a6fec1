// Row kind of signings.
import { ownBlobsOf, SigningRow } from '../rows/signing.js'
import { expiry } from './expiries.js'
import { claimed, ofDocument } from './owned-rows.js'
import { refersTo, rowKind } from './row-kind.js'

/** Signings of all layers of a document, by their public id. */
export const signings = rowKind({
  name: 'signing',
  key: [...ofDocument, ['id', 'text']],
  schema: SigningRow,
  indexes: ([tenant, document, id], { state, expiresAt }) =>
    state === 'completed' ? [] : [expiry(expiresAt, 'signing', tenant, document, id)],
  references: ([tenant, document], { layerName, version, completedBy }) => [
    refersTo('layer', tenant, document, layerName),
    refersTo('version', tenant, document, version),
    ...(completedBy === null ? [] : [refersTo('audit', tenant, document, completedBy)]),
  ],
  blobs: ([tenant, document], row) => ownBlobsOf(row).map((blob) => claimed({ tenant, document }, blob)),
  storedBytes: (row) => ownBlobsOf(row).reduce((bytes, { sizeBytes }) => bytes + sizeBytes, 0),
})
