// The name tree of pages (ISO 32000-2, 7.9.6 and 12.7.7), rewritten as one flat node. Entries that a change does not
// concern keep the bytes of their keys.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { readingLimits } from '../objects/reading-limits.js'
import { nameTreeItems } from '../objects/trees.js'
import { entry, isDictionary, objectNumberOf, textOf } from '../objects/values.js'

interface Item {
  readonly key: PDFObject
  readonly value: PDFObject
}

export class PageNames {
  readonly #change: Change
  #items: readonly Item[]

  constructor(change: Change) {
    this.#change = change
    this.#items = [...nameTreeItems(entry(change.document.catalog, 'Names', 'Pages'))].map(([key, value]) => ({
      key,
      value,
    }))
    const max = readingLimits.treeEntriesMax
    if (this.#items.length < max) return
    // Entries beyond the limit were not read, and rewriting the tree would lose them.
    const details = { limit: 'treeEntriesMax', max, value: this.#items.length }
    throw new JobRefusal('PayloadTooLarge', `The document has more than ${max} named pages`, details)
  }

  get all(): readonly string[] {
    return this.#items.flatMap(({ key }) => textOf(key) ?? [])
  }

  has(name: string): boolean {
    return this.all.includes(name)
  }

  remove(name: string): void {
    this.#items = this.#items.filter(({ key }) => textOf(key) !== name)
  }

  set(name: string, page: PDFObject): void {
    this.remove(name)
    this.#items = [...this.#items, { key: this.#change.pdf.newString(name), value: page }]
  }

  save(): void {
    const { pdf } = this.#change
    const sorted = this.#items
      .map((item) => ({ ...item, bytes: item.key.asByteString() }))
      .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    const names = pdf.newArray()
    for (const { key, value } of sorted) {
      names.push(key)
      names.push(value)
    }
    const tree = this.#tree()
    for (const key of ['Kids', 'Limits']) tree.delete(key)
    tree.put('Names', names)
  }

  /** Returns the root of the tree, touched, and creates it if it is missing. */
  #tree(): PDFObject {
    const { catalog } = this.#change.document
    const names = this.#child(catalog, catalog, 'Names')
    return this.#child(names, objectNumberOf(names) === undefined ? catalog : names, 'Pages')
  }

  /** Returns a child node. `around`: the indirect object that `holder` is, or that contains it. */
  #child(holder: PDFObject, around: PDFObject, key: string): PDFObject {
    const child = entry(holder, key)
    if (isDictionary(child) && objectNumberOf(child) !== undefined) return this.#change.touch(child)
    this.#change.touch(around)
    if (isDictionary(child)) return child
    const made = this.#change.pdf.newDictionary()
    holder.put(key, made)
    return made
  }
}
