// What a reader of one annotation gets: its object and everything around it.
import type { PDFObject } from 'mupdf'
import type { Annotation } from '../../shapes/annotations/annotation.js'
import type { AnnotationCommon } from '../../shapes/annotations/common.js'
import type { PageSpace } from '../page-space.js'
import type { Reading } from '../reading.js'
import type { AnnotationEntry, PageAnnotations } from './page-annotations.js'

export interface AnnotationSource extends AnnotationEntry {
  readonly object: PDFObject
  readonly reading: Reading
  readonly space: PageSpace
  readonly siblings: PageAnnotations
}

/** Makes the members of one subtype; the common ones are there already. */
export type ReadAnnotation = (source: AnnotationSource, common: AnnotationCommon) => Annotation
