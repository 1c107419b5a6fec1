// Rows that a change is based on, read in the transaction, so that the commit fails if they changed.

import { notReadable } from '../documents/not-readable.js'
import { promotedIn } from '../documents/view.js'
import { basePin } from '../layers/base-pins.js'
import type { LayerKey } from '../layers/content.js'
import type { DocumentContext } from '../operation/operation.js'
import type { DocumentRow } from '../rows/document.js'
import type { LayerRow } from '../rows/layer.js'
import type { PromotedAnnotations } from '../rows/version.js'
import type { Transaction } from '../storage/transaction.js'

export interface ChangeState {
  /** Context with current rows. */
  readonly context: DocumentContext
  readonly document: DocumentRow
  /** Undefined = the layer has no edits. */
  readonly layer: LayerRow | undefined
  readonly promoted: PromotedAnnotations
  readonly owner: LayerKey
  /** Pin of unchanged content. */
  readonly first: number
}

/** Throws `NotFound` for a document that was deleted or is not ready. */
export async function readState(transaction: Transaction, context: DocumentContext): Promise<ChangeState> {
  const { tables } = context.deployment
  const { tenant, document: found, layerName } = context
  const document = await transaction.read(tables.documents.at([tenant.internal, found.internal]))
  if (document?.state !== 'ready') throw notReadable(document)
  const layer = await transaction.read(tables.layers.at([tenant.internal, found.internal, layerName]))
  return stateOf({ ...context, document: { internal: found.internal, row: document }, layer, moved: undefined })
}

/** Returns the state of the rows in the context. */
export async function stateOf(context: DocumentContext): Promise<ChangeState> {
  const { tenant, document, layerName, layer } = context
  const owner = { tenant: tenant.internal, document: document.internal, layerName }
  return {
    context,
    document: document.row,
    layer,
    promoted: layer?.promoted ?? (await promotedIn(context.deployment, owner, document.row)),
    owner,
    first: basePin({ document, layer }),
  }
}
