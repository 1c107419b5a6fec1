// Orders the annotations of a file such that each comes after the one that it replies to; otherwise the order of the
// file, which is that of stacking, remains.
import type { WritableName } from '../../contract/annotations/writable.js'
import type { XmlTree } from '../xml/xml-tree.js'
import type { ImportedPage } from './imported-page.js'

export interface PlacedElement {
  readonly element: XmlTree
  readonly subtype: Exclude<WritableName, 'popup'>
  readonly page: ImportedPage
  readonly name: string | undefined
  /** What an export of this server says of which annotation it is. */
  readonly identity: string | undefined
  /** Name of the annotation that this one replies to. */
  readonly answered: string | undefined
}

export function inOrderOfReplies(elements: readonly PlacedElement[]): readonly PlacedElement[] {
  const named = new Map<ImportedPage, Map<string, PlacedElement>>()
  for (const one of elements) {
    const onPage = named.get(one.page) ?? new Map<string, PlacedElement>()
    if (one.name !== undefined) onPage.set(one.name, one)
    named.set(one.page, onPage)
  }
  const answeredBy = ({ page, answered }: PlacedElement) =>
    answered === undefined ? undefined : named.get(page)?.get(answered)
  const ordered = new Set<PlacedElement>()
  for (const one of elements) {
    // A set, because a circle of replies would never end.
    const chain = new Set<PlacedElement>()
    let next: PlacedElement | undefined = one
    while (next !== undefined && !ordered.has(next) && !chain.has(next)) {
      chain.add(next)
      next = answeredBy(next)
    }
    for (const link of [...chain].reverse()) ordered.add(link)
  }
  return [...ordered]
}
