// The small shapes of a change on the server's side: what is asked, and what it is answered.
import type { RefusalCode } from '../errors.js'

/** Checked against its schema in `workers/shapes/changes` before it comes here. */
export interface Op {
  readonly type: string
  readonly [member: string]: unknown
}

/** As the client names it: an op of a layer's change, with its completed `meta`. */
export interface Item {
  readonly type: string
  readonly [member: string]: unknown
}

export type ChangeWork = { readonly ops: readonly Op[] } | { readonly undoOf: string }

export type Outcome =
  | { readonly status: 'applied'; readonly result: { readonly items: readonly Item[]; readonly meta: unknown } }
  | { readonly status: 'refused'; readonly error: EngineError }

export interface EngineError {
  readonly name: 'EngineError'
  readonly code: RefusalCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}
