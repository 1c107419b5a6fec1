// Writes the overlay rows of the objects that a change altered.
import { setImmediate } from 'node:timers/promises'
import type { ObjectImage } from '../../workers/objects/object-image.js'
import { limits } from '../limits.js'
import { type Content, lengthOf } from '../rows/content.js'
import type { LayerRow } from '../rows/layer.js'
import type { Transaction } from '../storage/transaction.js'
import type { ChangeState } from './state.js'

/** Writes the overlay and returns its totals. The rows are fenced by the layer row, which every writer expects. */
export async function writeOverlay(
  transaction: Transaction,
  { context, owner, layer, document: { nextObject } }: ChangeState,
  images: readonly { readonly image: ObjectImage; readonly body: Content }[],
): Promise<LayerRow['overlay']> {
  const { overlays } = context.deployment.tables
  const { tenant, document, layerName } = owner
  let { objects, bytes } = layer?.overlay ?? { objects: 0, bytes: 0 }
  for (const [index, { image, body }] of images.entries()) {
    if (index % limits.rowsAtOnce === limits.rowsAtOnce - 1) await setImmediate()
    const { number, generation, isHidden } = image
    const isNew = number >= nextObject
    const before = isNew ? undefined : await overlays.get([tenant, document, layerName, number])
    transaction.overwrite(overlays.at([tenant, document, layerName, number]), { generation, isHidden, body })
    objects += before ? 0 : 1
    bytes += image.body.length - (before ? lengthOf(before.body) : 0)
  }
  return { objects, bytes }
}

/**
 * Removes the overlay after a redaction rewrote the base: the new base contains all content that may remain. Returns the
 * blobs that the rows named.
 */
export async function eraseOverlay(
  transaction: Transaction,
  { context, owner }: ChangeState,
): Promise<ReadonlySet<string>> {
  const { overlays } = context.deployment.tables
  const { tenant, document, layerName } = owner
  const packs = new Set<string>()
  for await (const { key, row } of overlays.range([tenant, document, layerName])) {
    transaction.erase(overlays.at(key))
    if ('pack' in row.body.at) packs.add(row.body.at.pack.name)
  }
  return packs
}
