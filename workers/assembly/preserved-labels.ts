// Page labels across inserts, deletions and moves: each existing page keeps its label, like the number printed on it.
// New pages continue the numbering while no other page has that label, and have no label otherwise.
import type { PDFObject } from 'mupdf'
import type { Change } from '../change/change.js'
import { entry, isMissing, objectNumberOf } from '../objects/values.js'
import { type PageLabel, pageNumberings } from '../pages/page-labels.js'

type Label = PageLabel | null

const blank: PageLabel = { style: undefined, prefix: '', number: 1 }

export class PreservedLabels {
  readonly #change: Change
  /** Labels by page number; empty if the document has none. */
  readonly #labels: ReadonlyMap<number, Label>

  /** Records the current labels; must be created before pages are moved. */
  constructor(change: Change) {
    this.#change = change
    const { catalog, pages } = change.document
    const labels = isMissing(entry(catalog, 'PageLabels')) ? [] : pageNumberings(catalog, pages.length)
    this.#labels = new Map(labels.map((label, index) => [pages[index] ?? 0, label]))
  }

  /** Writes the labels of the current pages. */
  save(): void {
    if (this.#labels.size === 0) return
    const { catalog, pages } = this.#change.document
    const wanted = this.#wanted(pages)
    const now = pageNumberings(catalog, pages.length)
    if (wanted.every((label, index) => isSame(label, now[index] ?? null))) return
    this.#write(wanted)
  }

  #wanted(pages: readonly number[]): readonly Label[] {
    const taken = new Set([...this.#labels.values()].map(keyOf))
    const wanted: Label[] = []
    for (const page of pages) {
      const known = this.#labels.get(page)
      wanted.push(known === undefined ? next(wanted.at(-1) ?? null, taken) : known)
    }
    // A page before the first range has no label; after a range, an unlabelled page needs an empty range of its own.
    const first = wanted.findIndex((label) => label !== null)
    return wanted.map((label, index) => label ?? (index > first && first !== -1 ? blank : null))
  }

  #write(labels: readonly Label[]): void {
    const { pdf, document } = this.#change
    const numbers = pdf.newArray()
    labels.forEach((label, index) => {
      if (label === null || goesOn(labels[index - 1] ?? null, label)) return
      numbers.push(index)
      numbers.push(rangeOf(this.#change, label))
    })
    const old = entry(document.catalog, 'PageLabels')
    const tree = objectNumberOf(old) === undefined ? pdf.newDictionary() : this.#change.touch(old)
    if (objectNumberOf(old) === undefined) this.#change.touch(document.catalog).put('PageLabels', tree)
    for (const key of ['Kids', 'Limits']) tree.delete(key)
    tree.put('Nums', numbers)
  }
}

function next(before: Label, taken: Set<string>): Label {
  if (before === null) return null
  const following = { ...before, number: before.number + 1 }
  if (before.style === undefined || taken.has(keyOf(following))) return blank
  taken.add(keyOf(following))
  return following
}

function rangeOf({ pdf }: Change, { style, prefix, number }: PageLabel): PDFObject {
  const range = pdf.newDictionary()
  if (style !== undefined) range.put('S', pdf.newName(style))
  if (prefix !== '') range.put('P', pdf.newString(prefix))
  if (number !== 1) range.put('St', number)
  return range
}

const keyOf = (label: Label): string =>
  label === null ? '' : JSON.stringify([label.style, label.prefix, label.style === undefined ? 0 : label.number])

const isSame = (one: Label, other: Label): boolean => keyOf(one) === keyOf(other)

/** Returns whether the range of the preceding page includes this one. */
const goesOn = (before: Label, label: PageLabel): boolean =>
  before !== null && isSame({ ...before, number: before.number + 1 }, label)
