// Finds the pages that a page tree actually lists, within limits, whatever it claims about itself.
import type { PDFDocument, PDFObject } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import type { OpenDocument } from '../document/open-document.js'
import { orElse } from '../engine/trap.js'
import { limits } from '../limits.js'
import { elementsOf, entry, isArray, isDictionary, isMissing, nameOf, objectNumberOf } from '../objects/values.js'

/** Keys that pages inherit from the nodes above them (ISO 32000-2, 7.7.3.4). */
export const inheritableKeys = ['Resources', 'MediaBox', 'CropBox', 'Rotate'] as const

export type InheritedEntries = Readonly<Partial<Record<(typeof inheritableKeys)[number], PDFObject>>>

export interface Leaf {
  readonly page: PDFObject
  /** Object number; undefined for an inline page, which cannot be referred to. */
  readonly number: number | undefined
  readonly inherited: InheritedEntries
}

export class TooManyPages extends Error {
  constructor() {
    super(`The page tree has more than ${limits.pagesMax} pages or nodes`)
    this.name = 'TooManyPages'
  }
}

interface PendingNode {
  readonly node: PDFObject
  readonly inherited: InheritedEntries
}

/** Returns pages in display order. If the tree contains no page, returns all page objects of the file by number. */
export function leavesOf({ pdf, catalog }: OpenDocument): readonly Leaf[] {
  if (!isDictionary(catalog)) throw new JobRefusal('MalformedPdf', 'The document has no catalog')
  const leaves = leavesOfTree(catalog)
  return leaves.length > 0 ? leaves : strayPages(pdf)
}

/** Walks the tree; cyclic nodes are skipped. */
function leavesOfTree(catalog: PDFObject): readonly Leaf[] {
  const leaves: Leaf[] = []
  const seen = new Set<number>()
  const waiting: PendingNode[] = [{ node: entry(catalog, 'Pages'), inherited: {} }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, inherited } = next
    if (!isDictionary(node)) continue
    const number = objectNumberOf(node)
    if (!isInnerNode(node)) {
      leaves.push({ page: node, number, inherited })
      if (leaves.length > limits.pagesMax) throw new TooManyPages()
      continue
    }
    if (number !== undefined && seen.has(number)) continue
    if (number !== undefined) seen.add(number)
    const handedDown = { ...inherited, ...inheritableOf(node) }
    const kids = [...elementsOf(entry(node, 'Kids'), limits.pagesMax + 1)].reverse()
    if (waiting.length + kids.length > 2 * limits.pagesMax) throw new TooManyPages()
    for (const kid of kids) waiting.push({ node: kid, inherited: handedDown })
  }
  return leaves
}

/** True when the engine finds exactly these pages by itself, and each can be named. */
export function isSound({ pdf }: OpenDocument, leaves: readonly Leaf[]): boolean {
  const numbers = new Set<number>()
  for (const { number } of leaves) if (number !== undefined) numbers.add(number)
  if (numbers.size < leaves.length) return false
  if (orElse(-1, () => pdf.countPages()) !== leaves.length) return false
  return leaves.every(({ number }, index) => orElse(undefined, () => pdf.findPage(index).asIndirect()) === number)
}

/** Replaces the page tree by one flat node; inline pages and duplicates become objects of their own. */
export function rebuildPageTree({ pdf, catalog }: OpenDocument, leaves: readonly Leaf[]): void {
  const root = pdf.createObject()
  const kids = pdf.newArray()
  const taken = new Set<number>()
  for (const { page, number, inherited } of leaves) {
    const isOwn = number !== undefined && !taken.has(number)
    const standing = isOwn ? page : pdf.addObject(shallowCopy(page))
    if (isOwn) taken.add(number)
    for (const [key, value] of Object.entries(inherited)) {
      if (value !== undefined && isMissing(entry(standing, key))) standing.put(key, value)
    }
    standing.put('Type', 'Page')
    standing.put('Parent', root)
    kids.push(standing)
  }
  const node = pdf.newDictionary()
  node.put('Type', 'Pages')
  node.put('Kids', kids)
  node.put('Count', leaves.length)
  root.writeObject(node)
  catalog.put('Pages', root)
}

function strayPages(pdf: PDFDocument): readonly Leaf[] {
  const leaves: Leaf[] = []
  const end = Math.min(pdf.countObjects(), limits.strayObjectsMax)
  for (let number = 1; number < end && leaves.length < limits.pagesMax; number++) {
    const page = pdf.newIndirect(number)
    if (orElse(undefined, () => nameOf(entry(page, 'Type'))) === 'Page') leaves.push({ page, number, inherited: {} })
  }
  return leaves
}

export function isInnerNode(node: PDFObject): boolean {
  const type = nameOf(entry(node, 'Type'))
  return type === 'Pages' || (type !== 'Page' && isArray(entry(node, 'Kids')))
}

export function inheritableOf(node: PDFObject): InheritedEntries {
  return Object.fromEntries(
    inheritableKeys.map((key) => [key, entry(node, key)] as const).filter(([, value]) => !isMissing(value)),
  )
}

function shallowCopy(page: PDFObject): PDFObject {
  const copy = page._doc.newDictionary()
  page.forEach((value, key) => {
    copy.put(key, value)
  })
  return copy
}
