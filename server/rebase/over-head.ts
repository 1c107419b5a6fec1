// Presents layers to reads as merged over the head version of the document, before a write stores the merge.
import type { DocumentContext } from '../operation/operation.js'
import { computeMove } from './compute-move.js'

/** Returns the context with the merged layer; unchanged if the layer is already over the head, or has no edits. */
export async function overHead(context: DocumentContext): Promise<DocumentContext> {
  const move = await computeMove(context)
  if (move === undefined) return context
  return move.state === 'behind' ? { ...context, behind: move } : { ...context, layer: move.row, moved: move }
}
