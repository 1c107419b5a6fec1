// Data types shared by the server and a change in a worker.
import type { Item } from '../contract/ops/index.js'

/** Author and time that are written into the PDF. */
export interface Stamp {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Display name of the person, for `/T`; null = nobody is named. */
  readonly author: string | null
  /** True if annotations of inserted pages keep the authors, dates and actions in their file; default false. */
  readonly keepsAuthors?: boolean
  /** False if an import passes over redaction marks, which the server would refuse; default true. */
  readonly isMarking?: boolean
}

/** File sent with the request. */
export interface Resource {
  readonly path: string
  readonly sizeBytes: number
  readonly contentType: string
  readonly fileName: string | undefined
}

/** Step of an undo: `type` names the work that runs it; the other members, plain JSON, belong to that work. */
export interface UndoStep {
  readonly type: string
}

/** Wire items contain members that are known only after the commit; a worker omits these. */
export type WithoutMeta<Item> = Item extends { readonly meta: infer Meta }
  ? Omit<Item, 'meta'> & { readonly meta: Omit<Meta, 'cacheDelta' | 'opId'> }
  : never

/** Item of an op or undo step, as returned by a worker. */
export type UnfinishedItem = WithoutMeta<Item>
