// Every op a change may hold, by its type, and every step an undo may be made of.
import type { Change } from './change.js'
import { formsReset, undoFormsReset } from './operations/forms-reset.js'
import { formsSetValue, undoFormsSetValue } from './operations/forms-set-value.js'
import { metadataUpdate, metadataUpdateUndo } from './operations/metadata-update.js'
import { metadataUpdateCustom, metadataUpdateCustomUndo } from './operations/metadata-update-custom.js'
import { pagesDelete } from './operations/pages-delete.js'
import { pagesInsert } from './operations/pages-insert.js'
import { pagesInsertBlank } from './operations/pages-insert-blank.js'
import { pagesRemoveName } from './operations/pages-remove-name.js'
import { pagesReorder } from './operations/pages-reorder.js'
import { pagesRotate } from './operations/pages-rotate.js'
import { pagesSetName } from './operations/pages-set-name.js'
import { pagesSetScale } from './operations/pages-set-scale.js'

/** An entry among others: what it takes and answers was checked where it was written, and arrives as its schema says. */
export interface RunnableOperation {
  readonly type: string
  apply(op: unknown, change: Change): object
}

const operations: readonly RunnableOperation[] = [
  formsReset,
  formsSetValue,
  metadataUpdate,
  metadataUpdateCustom,
  pagesDelete,
  pagesInsert,
  pagesInsertBlank,
  pagesRemoveName,
  pagesReorder,
  pagesRotate,
  pagesSetName,
  pagesSetScale,
]
const undoing: readonly RunnableOperation[] = [
  undoFormsReset,
  undoFormsSetValue,
  metadataUpdateUndo,
  metadataUpdateCustomUndo,
]

export const changeOperations = byType(operations)
export const undoOperations = byType(undoing)

function byType(entries: readonly RunnableOperation[]): ReadonlyMap<string, RunnableOperation> {
  return new Map(entries.map((entry) => [entry.type, entry]))
}
