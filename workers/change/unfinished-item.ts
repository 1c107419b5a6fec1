// The small shapes that cross between the server and a change in a worker.
import type { Item } from '../contract/ops/index.js'

/** Author and time that are written into the PDF. */
export interface Stamp {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Display name of the person, for `/T`; null = nobody is named. */
  readonly author: string | null
  /** Annotations that come with inserted pages keep the authors and dates their file names; default: they do not. */
  readonly keepsAuthors?: boolean
}

/** A file that came with the request. */
export interface Resource {
  readonly path: string
  readonly sizeBytes: number
  readonly contentType: string
  readonly fileName: string | undefined
}

/** One step of an undo: `type` names the entry of `operations.ts` that runs it; the rest, plain JSON, is that entry's own. */
export interface UndoStep {
  readonly type: string
}

/** Wire shapes name what is known only when a change is committed; a worker leaves these out. */
export type WithoutMeta<Item> = Item extends { readonly meta: infer Meta }
  ? Omit<Item, 'meta'> & { readonly meta: Omit<Meta, 'cacheDelta' | 'opId'> }
  : never

/** Answer of an op or of a step of an undo, as a worker returns it. */
export type UnfinishedItem = WithoutMeta<Item>
