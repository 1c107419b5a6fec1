// The small shapes of a change on the server's side: what is requested, and what is answered.
import type { Op } from '../../workers/contract/ops/index.js'
import type { RefusalCode } from '../refusals/refusal.js'

/** An op as the client sent it, not checked yet. */
export interface RawOp {
  readonly type: string
  readonly [member: string]: unknown
}

/** An item as it was stored with its change, maybe by an earlier version of this program. */
export interface StoredItem {
  readonly type: string
  readonly [member: string]: unknown
}

export type ChangeWork =
  | { readonly kind: 'raw'; readonly ops: readonly RawOp[] }
  | { readonly kind: 'ops'; readonly ops: readonly Op[] }
  | { readonly kind: 'undo'; readonly undoOf: string }

export type Outcome =
  | { readonly status: 'applied'; readonly result: { readonly items: readonly StoredItem[]; readonly meta: unknown } }
  | { readonly status: 'refused'; readonly error: EngineError }

export interface EngineError {
  readonly name: 'EngineError'
  readonly code: RefusalCode
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}
