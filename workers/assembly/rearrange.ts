// What every change of the page tree is: the tree is changed, labels stay with their pages, and what reads differently
// from now on is declared.
import type { Change } from '../change/change.js'
import { KeptLabels } from './kept-labels.js'
import { LinkTargets } from './link-targets.js'
import { PageTree } from './page-tree.js'

export interface Rearrangement {
  /** Object numbers of the pages it is about. */
  readonly pages: Iterable<number>
  readonly edit: (tree: PageTree) => void
  /** Before links and labels are looked at again. */
  readonly afterwards?: () => void
}

export function rearrange(change: Change, { pages, edit, afterwards }: Rearrangement): void {
  const labels = new KeptLabels(change)
  const links = new LinkTargets(change)
  const tree = new PageTree(change)
  edit(tree)
  tree.save()
  afterwards?.()
  labels.save()
  links.declare()
  // The listing of all annotations names pages and follows page order.
  change.effects.document('layout', 'annotations')
  for (const page of pages) change.effects.page(page)
}
