// Names of annotations in XFDF: /NM, or for those without one a name that follows from the document and the place of
// the annotation in it. A file that comes back finds its annotations by them, and other documents have other names.
import { createHash } from 'node:crypto'
import type { AnnotationEntry } from '../../annotations/reading/page-annotations.js'
import { type AnnotationRef, annotationKey } from '../../contract/annotation-ref.js'
import { entry, textOf } from '../../objects/values.js'
import { xmlText } from '../xml/write-xml.js'

export class AnnotationNames {
  /** `documentId`: id that no other document has, of this server or another one. */
  constructor(private readonly documentId: string) {}

  nameOf({ ref, object }: AnnotationEntry): string {
    return ownNameOf(object) ?? this.derivedOf(ref)
  }

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
export const ownNameOf = (object: AnnotationEntry['object']): string | undefined =>
  xmlText(textOf(entry(object, 'NM')) ?? '') || undefined
