// The work of a change op: its effect on an open document. It is in `workers/ops`, in the file of the same name as
// the contract of the op in `workers/contract/ops`.
import type { Static } from 'typebox'
import type { OpContract } from '../contract/ops/op-contract.js'
import type { Change } from './change.js'
import type { UndoStep, UnfinishedItem, WithoutMeta } from './unfinished-item.js'

export interface OpWork<Op, Item> {
  readonly type: string
  /**
   * Applies the op, or throws a `JobRefusal`; then the whole change is dropped with the open copy, so nothing needs to
   * be restored. It touches the objects it alters, and declares its effects and undo steps on `change`. Declared as a
   * method, so that works of all ops fit into one table.
   */
  apply(op: Op, change: Change): Item
}

/**
 * Defines the work of an op: `export const work = opWork(PagesRotate, { apply({ pages, rotation }, change) { … } })`.
 */
export const opWork = <Contract extends OpContract>(
  { type }: Contract,
  { apply }: Pick<OpWork<Static<Contract['op']>, WithoutMeta<Static<Contract['item']>>>, 'apply'>,
): OpWork<Static<Contract['op']>, WithoutMeta<Static<Contract['item']>>> => ({ type, apply })

/**
 * A kind of undo step. It restores members that are unchanged since the op, and names the others in `skipped`. It
 * declares its own undo steps, so that undoing an undo redoes. The file of an op exports the steps it needs as `undos`.
 */
export interface UndoWork<Step extends UndoStep> {
  readonly type: Step['type']
  apply(step: Step, change: Change): UnfinishedItem
}

export const undoWork = <Step extends UndoStep>(work: UndoWork<Step>): UndoWork<Step> => work
