// Names of annotations in XFDF: /NM, or a name that follows from the document and the place of the annotation in it, for
// those without one and for those that do not have theirs alone. A file that comes back finds its annotations by them,
// other documents have other names, and nobody gets the name of another annotation by taking it.
import { createHash } from 'node:crypto'
import type { AnnotationEntry } from '../../annotations/reading/page-annotations.js'
import { type AnnotationRef, annotationKey } from '../../contract/annotation-ref.js'
import { entry, textOf } from '../../objects/values.js'
import { xmlText } from '../xml/write-xml.js'

/** Names of the annotations of one page, by which an export names them and an import finds them. */
export class PageNames {
  readonly #names = new Map<string, string>()
  readonly #derived = new Map<string, AnnotationRef>()
  readonly #own = new Map<string, AnnotationRef[]>()

  /** `names`: undefined if the document has no id; then annotations without a name of their own have none. */
  constructor(
    entries: readonly AnnotationEntry[],
    private readonly names: AnnotationNames | undefined,
  ) {
    if (names !== undefined) for (const { ref } of entries) this.#derived.set(names.derivedOf(ref), ref)
    const owns = entries.map(({ object }) => ownNameOf(object))
    for (const [index, { ref }] of entries.entries()) {
      const own = owns[index]
      if (own === undefined || this.#derived.has(own)) continue
      const bearers = this.#own.get(own) ?? []
      bearers.push(ref)
      this.#own.set(own, bearers)
    }
    for (const [index, { ref }] of entries.entries()) {
      const own = owns[index]
      const name = own !== undefined && this.named(own).length === 1 ? own : names?.derivedOf(ref)
      if (name !== undefined) this.#names.set(annotationKey(ref), name)
    }
  }

  nameOf({ ref }: Pick<AnnotationEntry, 'ref'>): string | undefined {
    return this.#names.get(annotationKey(ref))
  }

  /** Returns the name that only this document gives the annotation; undefined if it is exported under that name. */
  identityOf({ ref }: Pick<AnnotationEntry, 'ref'>): string | undefined {
    const derived = this.names?.derivedOf(ref)
    return derived === this.nameOf({ ref }) ? undefined : derived
  }

  /** Returns the annotation that only this document names like this. */
  derived(name: string): AnnotationRef | undefined {
    return this.#derived.get(name)
  }

  /** Returns the annotations with this name of their own. */
  named(name: string): readonly AnnotationRef[] {
    return this.#own.get(name) ?? []
  }
}

export class AnnotationNames {
  /** `documentId`: id that no other document has, of this server or another one. */
  constructor(private readonly documentId: string) {}

  /** Returns a UUID of version 8 (RFC 9562). */
  derivedOf(ref: AnnotationRef): string {
    const parts = ['annotation', this.documentId, annotationKey(ref)]
    // Indexes count the annotations of one page.
    if (ref.kind === 'baseIndex') parts.push(String(ref.page.objectNumber))
    const digits = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
    const variant = ((Number.parseInt(digits.slice(16, 17), 16) & 3) | 8).toString(16)
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `8${digits.slice(13, 16)}`,
      `${variant}${digits.slice(17, 20)}`,
      digits.slice(20, 32),
    ].join('-')
  }
}

/** Returns /NM as XML can contain it; undefined if nothing of it is left. */
const ownNameOf = (object: AnnotationEntry['object']): string | undefined =>
  xmlText(textOf(entry(object, 'NM')) ?? '') || undefined
