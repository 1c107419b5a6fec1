// Finds the place of a signature field's widget: its page, and its reference on that page.
import type { FormWidget } from '../../contract/form-widget.js'
import { pageRef } from '../../contract/page-ref.js'
import type { StrictRevision } from '../../strict-reader/strict-document.js'
import type { StrictValue } from '../../strict-reader/values.js'
import { ofKind } from '../../strict-reader/values-of.js'
import { catalogOf, dictionaryAt, elementsAt, referenceAt } from './entries.js'
import { readingLimits } from './reading-limits.js'
import type { SignatureField } from './signature-fields.js'

export class WidgetPlaces {
  #pages: ReadonlyMap<number, number> | undefined

  constructor(private readonly revision: StrictRevision) {}

  placeOf({ widget }: SignatureField): FormWidget | null {
    if (widget === undefined) return null
    const number = widget.reference?.number
    if (number === undefined) return { ref: null, objectNumber: 0, page: null }
    const named = referenceAt(widget.dictionary, 'P')?.number
    const page = named !== undefined && this.#lists(named, number) ? named : this.#pageOf(number)
    if (page === undefined) return { ref: null, objectNumber: number, page: null }
    return {
      ref: { kind: 'objectNumber', page: pageRef(page), objectNumber: number },
      objectNumber: number,
      page: pageRef(page),
    }
  }

  #lists(page: number, annotation: number): boolean {
    const generation = this.revision.generationOf(page)
    if (generation === undefined || page === 0) return false
    const dictionary = ofKind(this.revision.object({ number: page, generation }), 'dictionary')
    return this.#annotationsOf(dictionary).includes(annotation)
  }

  #annotationsOf(page: Parameters<typeof elementsAt>[1]): readonly number[] {
    return elementsAt(this.revision, page, 'Annots').flatMap((item) => ofKind(item, 'reference')?.number ?? [])
  }

  /** Searches all pages, once; few files have widgets that do not name their page. */
  #pageOf(annotation: number): number | undefined {
    this.#pages ??= this.#allAnnotations()
    return this.#pages.get(annotation)
  }

  #allAnnotations(): ReadonlyMap<number, number> {
    const found = new Map<number, number>()
    const seen = new Set<number>()
    const waiting: { readonly value: StrictValue; readonly depth: number }[] = [
      { value: catalogOf(this.revision)?.entries.get('Pages') ?? null, depth: 0 },
    ]
    for (let next = waiting.pop(); next !== undefined && seen.size < readingLimits.pagesMax; next = waiting.pop()) {
      const reference = ofKind(next.value, 'reference')
      if (reference === undefined || seen.has(reference.number) || next.depth > readingLimits.pageDepthMax) continue
      seen.add(reference.number)
      const node = ofKind(this.revision.resolve(reference), 'dictionary')
      const depth = next.depth + 1
      for (const kid of elementsAt(this.revision, node, 'Kids').toReversed()) waiting.push({ value: kid, depth })
      if (dictionaryAt(this.revision, node, 'Kids') === undefined && node?.entries.has('Kids') !== true) {
        for (const annotation of this.#annotationsOf(node)) {
          if (!found.has(annotation)) found.set(annotation, reference.number)
        }
      }
    }
    return found
  }
}
