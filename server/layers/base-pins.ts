// Version pins of content that a layer has not changed. In the first version they are the second in which the document
// was created; in a later one, the pin chosen at its publication, which is greater than every earlier pin.
import type { DocumentRow } from '../rows/document.js'
import type { LayerRow } from '../rows/layer.js'

type PinnedDocument = Pick<DocumentRow, 'createdAt' | 'headPin'>

export interface PinnedLayer {
  readonly document: { readonly row: PinnedDocument }
  /** Undefined = the layer has no edits. */
  readonly layer: Pick<LayerRow, 'basePin'> | undefined
}

/** Pin of the first version. */
export const firstPin = ({ createdAt }: Pick<DocumentRow, 'createdAt'>): number =>
  Math.max(1, Math.floor(createdAt / 1000))

export const headPin = (row: PinnedDocument): number => row.headPin ?? firstPin(row)

/** Distance of the pin of a new version, in audit rows. Every commit raises pins by one at most, so this pin is new. */
export const nextHeadPin = (row: PinnedDocument, auditId: number): number => firstPin(row) + auditId

/** Pin of everything that the layer has not changed. */
export const basePin = ({ document, layer }: PinnedLayer): number =>
  layer === undefined ? headPin(document.row) : (layer.basePin ?? firstPin(document.row))

/** True if content of this pin is the same in the head version: layers over another version never share it. */
export function isOfHead(pin: number, pinned: PinnedLayer): boolean {
  const head = headPin(pinned.document.row)
  return pin === head && basePin(pinned) === head
}
