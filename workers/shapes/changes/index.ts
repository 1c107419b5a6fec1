// The shapes of every op, by its type. What stands in `wireOps` may be an op of `doc.changes`; the others have a route of
// their own and nothing else. What stands in `undoItems` only an undo answers.
import type { OpShape } from './op-shape.js'

export const wireOps = {} as const satisfies Readonly<Record<string, OpShape>>

export const routeOps = {} as const satisfies Readonly<Record<string, OpShape>>
