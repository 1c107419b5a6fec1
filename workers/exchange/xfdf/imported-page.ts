// Pages that an import writes to: their annotations by name.
import { isDeepStrictEqual } from 'node:util'
import { AnnotatedPage } from '../../annotations/annotated-page.js'
import type { Change } from '../../change/change.js'
import type { AnnotationRef } from '../../contract/annotation-ref.js'
import type { Annotation } from '../../contract/annotations/annotation.js'
import type { PageSpace } from '../../document/page-space.js'
import { xmlText } from '../xml/write-xml.js'
import { AnnotationNames, PageNames } from './annotation-names.js'

export class ImportedPage {
  readonly #names: PageNames
  readonly #byName: Map<string, AnnotationRef>
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
    this.#byName = new Map(this.#names.refs)
  }

  /** Returns the annotation of a name, also one that the import has created. */
  called(name: string): AnnotationRef | undefined {
    return this.#byName.get(xmlText(name))
  }

  /** True if several annotations of the page have the name. */
  isShared(name: string): boolean {
    return this.#names.isShared(xmlText(name))
  }

  note(name: string, { ref }: Annotation): void {
    this.#byName.set(xmlText(name), ref)
  }

  /** Removes the names of an annotation. */
  forget(ref: AnnotationRef): void {
    for (const [name, one] of this.#byName) if (isDeepStrictEqual(one, ref)) this.#byName.delete(name)
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
