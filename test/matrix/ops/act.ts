// One step of a case: an op made from what a layer holds, and what must be true afterwards.
import type { OwnWays } from '../judges/judge.js'
import type { Word } from '../judges/words.js'
import type { LayerClient, Op, Resources } from '../layer.js'
import type { DocumentState } from '../state.js'
import type { Subject } from '../subject.js'

export interface Scene {
  readonly subject: Subject
  readonly state: DocumentState
  /** Of the base as poppler reads it, by page of the base. */
  readonly words: readonly (readonly Word[])[]
  /** The file itself, as a source of pages. */
  readonly bytes: Buffer
}

export interface Plan {
  readonly op: Op
  readonly resources?: Resources
  /** Told from its answer and from what is listed afterwards. */
  readonly after: (state: DocumentState, item: Item, now: Subject) => DocumentState
  /** What a later read denies of it. */
  readonly denied?: (now: Subject, item: Item, layer: LayerClient) => Promise<string | undefined> | string | undefined
  /** Object numbers of the pages whose pictures are looked at. */
  readonly pages: readonly number[]
  /** The pages must look as they did before the op, but for these places. */
  readonly keepsLook?: OwnWays
}

export type Item = Readonly<Record<string, unknown>>

export interface Act {
  /** Of an op, or `pages.extract`. */
  readonly type: string
  readonly name: string
  readonly isUndoable: boolean
  /** Undefined = the file has nothing to do it to. */
  readonly plan: (scene: Scene) => Plan | undefined
}
