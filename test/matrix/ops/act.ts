// An act is one step of a case: an op derived from the state of a layer, and the expected state after it.
import type { OwnWays } from '../judges/case.js'
import type { Word } from '../judges/words.js'
import type { LayerClient, Op, Resources } from '../layer.js'
import type { DocumentState } from '../state.js'
import type { Subject } from '../subject.js'

export interface Scene {
  readonly subject: Subject
  readonly state: DocumentState
  /** Words of the base as read by poppler, by page. */
  readonly words: readonly (readonly Word[])[]
  /** Bytes of the file, as a source of pages. */
  readonly bytes: Buffer
}

export interface Plan {
  readonly op: Op
  readonly resources?: Resources
  /** Returns the expected state, from the response and the listings afterwards. */
  readonly after: (state: DocumentState, item: Item, now: Subject) => DocumentState
  /** Contradictions found by a later read. */
  readonly denied?: (now: Subject, item: Item, layer: LayerClient) => Promise<string | undefined> | string | undefined
  /** Object numbers of the pages whose pictures are compared. */
  readonly pages: readonly number[]
  /** Pages must look as before the op, except in these regions. */
  readonly keepsLook?: OwnWays
}

export type Item = Readonly<Record<string, unknown>>

export interface Act {
  /** Type of the op, or `pages.extract`. */
  readonly type: string
  readonly name: string
  readonly isUndoable: boolean
  /** Returns undefined if the op does not apply to the file. */
  readonly plan: (scene: Scene) => Plan | undefined
}
