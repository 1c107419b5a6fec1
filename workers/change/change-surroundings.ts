// What a change is made with: who makes it, in which layer, and what is permitted.
import type { DocumentProtection } from '../contract/signatures/protection.js'
import type { InlineAnnotation } from '../messages/task.js'
import type { NumbersLeft } from './refuse-full.js'
import type { SignedBase } from './signed-base.js'
import type { Standings } from './standing.js'
import type { Resource, Stamp } from './unfinished-item.js'

export interface ChangeSurroundings extends NumbersLeft {
  readonly stamp: Stamp
  readonly inline: readonly InlineAnnotation[]
  readonly resources: Readonly<Record<string, Resource>>
  readonly itemsMax: number
  /** Internal id of the document; default: unknown. */
  readonly documentId?: string
  /** Changes that the document's signatures permit; default: everything. */
  readonly protection?: DocumentProtection | null
  /** The file under the layer, as its signatures saw it. */
  readonly signedBase?: SignedBase
  /** Owners of the annotations. Without them, the caller may update every annotation. */
  readonly standings?: Standings | undefined
}
