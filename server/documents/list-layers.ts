// `documents.layers`: lists the layers of a document that were edited, by name.
import type { Static } from 'typebox'
import { type PageQuery, pageOf } from '../http/paging.js'
import type { TenantContext } from '../operation/operation.js'
import type { LayerRow } from '../rows/layer.js'
import type { DocumentLayer, DocumentLayers } from '../schemas/document-history.js'
import { isLayerName } from '../schemas/ids.js'
import { findDocument } from './find.js'

export async function listLayers(
  id: string,
  query: PageQuery,
  context: TenantContext,
): Promise<Static<typeof DocumentLayers>> {
  const { internal } = await findDocument(id, context)
  const place = [context.tenant.internal, internal] as const
  const { items, nextCursor } = await pageOf(query, {
    from: (last) =>
      context.deployment.tables.layers.range(place, last === undefined ? {} : { after: [...place, last] }),
    cursorOf: ({ key: [, , layerName] }) => layerName,
    isCursor: isLayerName,
  })
  return { layers: items.map(({ key: [, , layerName], row }) => describeLayer(layerName, row)), nextCursor }
}

function describeLayer(layerName: string, row: LayerRow): Static<typeof DocumentLayer> {
  const { version, editsVersion, overlay, privateBase, createdAt, updatedAt } = row
  return {
    layerName,
    versionNumber: version,
    layerVersion: editsVersion,
    storageSizeBytes: overlay.bytes + (privateBase?.sizeBytes ?? 0),
    redacted: privateBase !== null,
    createdAt,
    updatedAt,
  }
}
