// State in which a merge is finished.
import type { Change } from '../change/change.js'
import type { OpenDocument } from '../document/open-document.js'
import type { Conflicts } from './conflicts.js'
import type { DocumentLists } from './lists-of-document.js'
import type { Sides } from './sides.js'

export interface FinishContext {
  readonly change: Change
  readonly sides: Sides
  readonly conflicts: Conflicts
  readonly pages: ReadonlySet<number>
  readonly before: Readonly<Record<'base' | 'theirs' | 'ours', DocumentLists>>
  readonly documents: Readonly<Record<'base' | 'theirs' | 'ours', OpenDocument>>
  readonly protectedNumbers: ReadonlySet<number>
  /** Object numbers that the layer changed or created. */
  readonly changedByOurs: ReadonlySet<number>
}
