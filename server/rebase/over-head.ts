// Gives reads a layer as it is over the head version of its document, before the next write stores it so.
import type { DocumentContext } from '../operation/operation.js'
import { computeMove } from './compute-move.js'

/** Returns the request unchanged if the layer is over the head, or has no edits. */
export async function overHead(context: DocumentContext): Promise<DocumentContext> {
  const move = await computeMove(context)
  if (move === undefined) return context
  return move.state === 'behind' ? { ...context, behind: move.reason } : { ...context, layer: move.row, moved: move }
}
