// Collects the resources that a content stream still uses (ISO 32000-2, 7.8.3). All others are removed, because they
// belonged to removed content.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { inlineCopy } from '../../objects/inline-copy.js'
import { entriesOf, entry, isDictionary } from '../../objects/values.js'
import { isDrawnFont, withGlyphs } from './used-glyphs.js'

export type Category = 'XObject' | 'ExtGState' | 'Font' | 'Pattern' | 'Shading' | 'Properties'

const categories: readonly Category[] = ['XObject', 'ExtGState', 'Font', 'Pattern', 'Shading', 'Properties']
/** Categories whose entries may be used by others than operators; anything else may say anything. */
const retainedWhole = new Set(['ColorSpace', 'ProcSet'])
/** Maximum number of entries of one category. */
const entriesMax = 100_000

export class UsedResources {
  readonly #names = new Map<Category, Set<string>>(categories.map((category) => [category, new Set()]))
  readonly #added = new Map<string, { readonly category: Category; readonly value: PDFObject }>()
  readonly #codes = new Map<string, Set<number>>()

  constructor(readonly resources: PDFObject) {}

  find(category: Category, name: string): PDFObject {
    return entry(this.resources, category, name)
  }

  use(category: Category, name: string | undefined): void {
    if (name !== undefined) this.#names.get(category)?.add(name)
  }

  /** Returns the name of the resource. */
  add(category: Category, value: PDFObject): string {
    let count = this.#added.size
    while (!this.find(category, `Rd${count}`).isNull()) count++
    this.#added.set(`Rd${count}`, { category, value })
    return `Rd${count}`
  }

  /** Records codes shown in a font. */
  show(font: string, codes: Iterable<number>): void {
    const shown = this.#codes.get(font) ?? new Set()
    for (const code of codes) shown.add(code)
    this.#codes.set(font, shown)
  }

  writeTo(change: Change): PDFObject {
    const { pdf } = change
    const retained = pdf.newDictionary()
    for (const [key, value] of entriesOf(this.resources, entriesMax)) {
      const category = categories.find((one) => one === key)
      if (retainedWhole.has(key)) retained.put(key, inlineCopy(value))
      else if (category !== undefined && this.#names.get(category)?.size && isDictionary(value))
        retained.put(key, this.#namedOf(change, category, value))
    }
    for (const [name, { category, value }] of this.#added) {
      if (!this.#names.get(category)?.has(name)) continue
      if (!isDictionary(entry(retained, category))) retained.put(category, pdf.newDictionary())
      entry(retained, category).put(name, value)
    }
    return retained
  }

  #namedOf(change: Change, category: Category, values: PDFObject): PDFObject {
    const named = change.pdf.newDictionary()
    for (const [name, value] of entriesOf(values, entriesMax)) {
      if (!this.#names.get(category)?.has(name)) continue
      const isDrawn = category === 'Font' && isDrawnFont(value)
      const codes = this.#codes.get(name) ?? new Set<number>()
      named.put(change.pdf.newName(name), isDrawn ? withGlyphs(change, value, codes) : inlineCopy(value))
    }
    return named
  }
}
