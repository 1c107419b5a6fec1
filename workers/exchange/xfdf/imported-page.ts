// Pages that an import writes to: their annotations by name.
import { AnnotatedPage } from '../../annotations/annotated-page.js'
import type { Change } from '../../change/change.js'
import type { AnnotationRef } from '../../contract/annotation-ref.js'
import type { PageSpace } from '../../document/page-space.js'
import { xmlText } from '../xml/write-xml.js'
import { AnnotationNames, PageNames } from './annotation-names.js'

export class ImportedPage {
  readonly #names: PageNames
  /** What the names in the file turned out to be; undefined = nothing that may be referred to. */
  readonly #settled = new Map<string, AnnotationRef | undefined>()
  readonly #taken = new Set<string>()

  constructor(
    /** Object number of the page. */
    readonly number: number,
    change: Change,
  ) {
    const { entries } = new AnnotatedPage(change, number).siblings
    const { documentId } = change
    const names = documentId === undefined ? undefined : new AnnotationNames(documentId)
    this.#names = new PageNames(entries, names)
  }

  /** Returns the annotation that an export of this document identifies like this, whatever its own name. */
  derived(name: string): AnnotationRef | undefined {
    return this.#names.derived(xmlText(name))
  }

  /** Returns the annotations with this name of their own; anybody may have given it to theirs. */
  named(name: string): readonly AnnotationRef[] {
    return this.#names.named(xmlText(name))
  }

  /** Returns the annotation that a reference in the file means, also one that the import has created. */
  referredTo(name: string): AnnotationRef | undefined {
    const key = xmlText(name)
    if (this.#settled.has(key) || this.#taken.has(name)) return this.#settled.get(key)
    const named = this.named(name)
    return this.derived(name) ?? (named.length === 1 ? named[0] : undefined)
  }

  /** Notes which annotation a name of the file means. */
  settle(name: string | undefined, ref: AnnotationRef | undefined): void {
    if (name !== undefined) this.#settled.set(xmlText(name), ref)
  }

  /** True if the file has named an annotation like this before. */
  isTaken(name: string): boolean {
    return this.#taken.has(name)
  }

  take(name: string): void {
    this.#taken.add(name)
  }
}

export interface ImportedPages {
  /** Returns a page by its index; undefined if the document has none. */
  at(index: number): ImportedPage | undefined
  spaceOf(page: number): PageSpace
}

export function importedPages(change: Change): ImportedPages {
  const { pages } = change.document
  const reading = change.reading()
  const known = new Map<number, ImportedPage>()
  return {
    at(index) {
      const number = pages[index]
      if (number === undefined) return undefined
      const page = known.get(number) ?? new ImportedPage(number, change)
      known.set(number, page)
      return page
    },
    spaceOf: (page) => reading.spaceOf(page),
  }
}
