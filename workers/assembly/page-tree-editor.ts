// Edits the page tree (ISO 32000-2, 7.7.3). The engine's own functions move one page at a time, trust every /Parent
// entry and lose inherited entries.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { type InheritedEntries, inheritableOf, isInnerNode } from '../intake/page-tree.js'
import { limits } from '../limits.js'
import { elementsOf, entry, integerOf, isDictionary, objectNumberOf } from '../objects/values.js'
import { copyInheritedEntries } from './copy-inherited-entries.js'

interface Branch {
  readonly object: PDFObject
  readonly parent: Branch | undefined
  readonly handsDown: InheritedEntries
  readonly kids: (Branch | Leaf)[]
  isChanged: boolean
}

interface Leaf {
  readonly page: PDFObject
  readonly number: number
  /** Node of the page tree that lists the page. */
  readonly home: Branch | undefined
}

const isBranch = (kid: Branch | Leaf): kid is Branch => 'kids' in kid

export class PageTreeEditor {
  readonly #change: Change
  readonly #root: Branch
  readonly #places = new Map<number, Branch>()
  readonly #leaves = new Map<number, Leaf>()

  constructor(change: Change) {
    this.#change = change
    const root = entry(change.document.catalog, 'Pages')
    if (!isDictionary(root)) throw new JobRefusal('MalformedPdf', 'The document has no page tree')
    this.#root = this.#read(root)
  }

  /** Removes pages. `insert` may put them back elsewhere; the others leave the tree. */
  remove(pages: ReadonlySet<number>): void {
    const branches = new Set<Branch>()
    for (const page of pages) {
      const branch = this.#places.get(page)
      if (branch !== undefined) branches.add(branch)
      this.#places.delete(page)
    }
    for (const branch of branches) {
      const staying = branch.kids.filter((kid) => isBranch(kid) || !pages.has(kid.number))
      branch.kids.splice(0, branch.kids.length, ...staying)
      branch.isChanged = true
    }
  }

  /** Inserts new or removed pages beside a page of the tree, or at the end of the root if `beside` is undefined. */
  insert(pages: readonly PDFObject[], beside: { readonly page: number; readonly isAfter: boolean } | undefined): void {
    const branch = (beside && this.#places.get(beside.page)) ?? this.#root
    const found = branch.kids.findIndex((kid) => !isBranch(kid) && kid.number === beside?.page)
    const place = found === -1 ? branch.kids.length : found + (beside?.isAfter ? 1 : 0)
    const leaves = pages.map((page) => this.#leafOf(page))
    branch.kids.splice(place, 0, ...leaves)
    branch.isChanged = true
    for (const { number } of leaves) this.#places.set(number, branch)
  }

  /** Writes the changed nodes only. */
  save(): void {
    for (const leaf of this.#leaves.values()) this.#settle(leaf)
    this.#write(this.#root)
    this.#change.document.forgetPages()
  }

  /** Sets the parent of a page, and copies what it inherited from its former node. */
  #settle({ page, number, home }: Leaf): void {
    const branch = this.#places.get(number)
    if (branch === undefined || branch === home) return
    this.#change.touch(page)
    copyInheritedEntries(page, { from: home?.handsDown ?? {}, to: branch.handsDown })
    page.put('Parent', branch.object)
  }

  /** Writes a node and its descendants, and drops empty nodes. Returns the number of pages below the node. */
  #write(branch: Branch): number {
    let count = 0
    for (const kid of [...branch.kids]) {
      const below = isBranch(kid) ? this.#write(kid) : 1
      count += below
      if (below === 0 && isBranch(kid) && kid.isChanged) {
        branch.kids.splice(branch.kids.indexOf(kid), 1)
        branch.isChanged = true
        if (objectNumberOf(kid.object) !== undefined) this.#change.hide(kid.object)
      }
    }
    if (branch.isChanged) this.#writeKids(branch)
    if (integerOf(entry(branch.object, 'Count')) !== count) {
      this.#touch(branch)
      branch.object.put('Count', count)
    }
    return count
  }

  #writeKids(branch: Branch): void {
    this.#touch(branch)
    const kids = this.#change.pdf.newArray()
    for (const kid of branch.kids) kids.push(isBranch(kid) ? kid.object : kid.page)
    branch.object.put('Kids', kids)
  }

  /** Touches a node; an inline node is part of its parent. */
  #touch(branch: Branch): void {
    let node: Branch | undefined = branch
    while (node !== undefined && objectNumberOf(node.object) === undefined) node = node.parent
    this.#change.touch(node?.object ?? this.#change.document.catalog)
  }

  #leafOf(page: PDFObject): Leaf {
    const number = objectNumberOf(page)
    if (number === undefined) throw new Error('Only an indirect page object can be inserted into the page tree')
    const leaf = this.#leaves.get(number) ?? { page, number, home: undefined }
    this.#leaves.set(number, leaf)
    return leaf
  }

  /** Reads the tree. Cyclic nodes and objects that are not pages are skipped, as in every walk of the tree. */
  #read(root: PDFObject): Branch {
    const seen = new Set([objectNumberOf(root)])
    const top = branchOf(root, undefined)
    const waiting: Branch[] = [top]
    for (let branch = waiting.pop(); branch !== undefined; branch = waiting.pop()) {
      for (const object of elementsOf(entry(branch.object, 'Kids'), limits.pagesMax)) {
        const number = objectNumberOf(object)
        if (!isDictionary(object) || (number !== undefined && seen.has(number))) continue
        if (number !== undefined) seen.add(number)
        if (isInnerNode(object)) {
          const kid = branchOf(object, branch)
          branch.kids.push(kid)
          waiting.push(kid)
          if (waiting.length > limits.pagesMax) throw new JobRefusal('MalformedPdf', 'The page tree has too many nodes')
        } else if (number !== undefined) {
          const leaf = { page: object, number, home: branch }
          branch.kids.push(leaf)
          this.#leaves.set(number, leaf)
          this.#places.set(number, branch)
        }
      }
    }
    return top
  }
}

function branchOf(object: PDFObject, parent: Branch | undefined): Branch {
  return { object, parent, handsDown: { ...parent?.handsDown, ...inheritableOf(object) }, kids: [], isChanged: false }
}
