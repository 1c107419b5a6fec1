// Types of a change on the server: request and response.
import type { Op } from '../../workers/contract/ops/index.js'
import type { RefusalCode } from '../refusals/refusal.js'

/** Op as the client sent it, before validation. */
export interface RawOp {
  readonly type: string
  readonly [member: string]: unknown
}

/** Item as stored with its change, possibly by an earlier version. */
export interface StoredItem {
  readonly type: string
  readonly [member: string]: unknown
}

export interface UndoWork {
  readonly kind: 'undo'
  readonly undoOf: string
  /** Audit id of the change, where it was named by that: several callers may have used one opId. */
  readonly auditId?: number
}

export type ChangeWork =
  | { readonly kind: 'raw'; readonly ops: readonly RawOp[] }
  | { readonly kind: 'ops'; readonly ops: readonly Op[] }
  | UndoWork

export type Outcome =
  | { readonly status: 'applied'; readonly result: { readonly items: readonly StoredItem[]; readonly meta: unknown } }
  | { readonly status: 'refused'; readonly error: EngineError }

export interface EngineError {
  readonly name: 'EngineError'
  readonly code: RefusalCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}
