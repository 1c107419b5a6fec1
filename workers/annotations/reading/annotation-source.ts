// Input of the reader of one annotation: its object and the context.
import type { PDFObject } from 'mupdf'
import type { AnnotationRef } from '../../contract/annotation-ref.js'
import type { Annotation } from '../../contract/annotations/annotation.js'
import type { AnnotationCommon } from '../../contract/annotations/common.js'
import type { PageSpace } from '../../document/page-space.js'
import type { Reading } from '../../document/reading.js'
import type { AnnotationEntry } from './page-annotations.js'

/** Annotations of the same page, as far as one of them depends on the others. */
export interface Siblings {
  readonly page: number
  /** Returns undefined if the object is no annotation of this page. */
  refOf(object: PDFObject): AnnotationRef | undefined
  popupOf(annotation: AnnotationRef): AnnotationRef | null
  parentOf(popup: AnnotationRef): AnnotationRef | null
  entryOf(ref: AnnotationRef): AnnotationEntry | undefined
}

export interface AnnotationSource extends AnnotationEntry {
  readonly object: PDFObject
  readonly reading: Reading
  readonly space: PageSpace
  readonly siblings: Siblings
}

/** Reads the members of one subtype; the common members are passed to it. */
export type ReadAnnotation = (source: AnnotationSource, common: AnnotationCommon) => Annotation
