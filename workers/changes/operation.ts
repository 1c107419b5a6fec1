// One entry per kind of op: what it does to an open document. Its wire shapes stand in `workers/shapes/changes`, where the
// server reads them; its entry joins `operations.ts` by a line.
import type { Static } from 'typebox'
import type { OpShape } from '../contract/ops/op-shape.js'
import type { Change } from './change.js'
import type { UndoStep, Unfinished } from './words.js'

export interface ChangeOperation<Op, Item> {
  readonly type: string
  /**
   * Applies the op, or throws a `JobRefusal` (then the whole change is dropped with the open copy, so nothing needs to be
   * put back). Touches what it alters; declares its effects and its undo steps on `change`. A method, so that entries of
   * all shapes fit into one table.
   */
  apply(op: Op, change: Change): Item
}

/**
 * Takes back one op through the same code: a member that is what the op left goes back, one that was changed since stays
 * and is named in `skipped`. Declares its own undo steps, so that undoing an undo redoes.
 */
export interface UndoOperation<Step extends UndoStep> {
  readonly type: Step['type']
  apply(step: Step, change: Change): object
}

/**
 *     export const reorder = changeOperation(AnnotationsReorder, { type: 'annotations.reorder', apply(op, change) { … } })
 */
export function changeOperation<Shape extends OpShape>(
  _shape: Shape,
  entry: ChangeOperation<Static<Shape['op']>, Unfinished<Static<Shape['item']>>>,
): ChangeOperation<Static<Shape['op']>, Unfinished<Static<Shape['item']>>> {
  return entry
}

export const undoOperation = <Step extends UndoStep>(entry: UndoOperation<Step>): UndoOperation<Step> => entry
