// Every op a change may hold, by its type, and every step an undo may be made of.
import type { Change } from './change.js'

/** An entry among others: what it takes and answers was checked where it was written, and arrives as its schema says. */
export interface RunnableOperation {
  readonly type: string
  apply(op: unknown, change: Change): object
}

const operations: readonly RunnableOperation[] = []
const undoing: readonly RunnableOperation[] = []

export const changeOperations = byType(operations)
export const undoOperations = byType(undoing)

function byType(entries: readonly RunnableOperation[]): ReadonlyMap<string, RunnableOperation> {
  return new Map(entries.map((entry) => [entry.type, entry]))
}
