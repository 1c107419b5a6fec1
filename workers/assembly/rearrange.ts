// The steps common to all changes of the page tree: edit the tree, keep the labels of pages, and declare annotations
// that read differently afterwards.
import type { Change } from '../change/change.js'
import { ChangedLinks } from './changed-links.js'
import { PageTreeEditor } from './page-tree-editor.js'
import { PreservedLabels } from './preserved-labels.js'

export interface Rearrangement {
  /** Object numbers of the pages concerned. */
  readonly pages: Iterable<number>
  readonly edit: (tree: PageTreeEditor) => void
  /** Called after the edit, before links and labels are compared with their former state. */
  readonly afterwards?: () => void
}

export function rearrange(change: Change, { pages, edit, afterwards }: Rearrangement): void {
  const labels = new PreservedLabels(change)
  const links = new ChangedLinks(change)
  const tree = new PageTreeEditor(change)
  edit(tree)
  tree.save()
  afterwards?.()
  labels.save()
  links.declare()
  // The listing of all annotations names pages and follows page order.
  change.effects.document('layout', 'annotations')
  for (const page of pages) change.effects.page(page)
}
