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

/** Rows that `readState` reads. */
export const stateSlotsOf = ({ deployment: { tables }, tenant, document, layerName }: DocumentContext) =>
  [
    tables.documents.at([tenant.internal, document.internal]),
    tables.layers.at([tenant.internal, document.internal, layerName]),
  ] as const

/** Throws `NotFound` for a document that was deleted or is not ready. */
export async function readState(transaction: Transaction, context: DocumentContext): Promise<ChangeState> {
  const [documentSlot, layerSlot] = stateSlotsOf(context)
  const row = await transaction.read(documentSlot)
  if (row?.state !== 'ready') throw notReadable(row)
  const layer = await transaction.read(layerSlot)
  return stateOf({ ...context, document: { internal: context.document.internal, row }, layer, moved: undefined })
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
