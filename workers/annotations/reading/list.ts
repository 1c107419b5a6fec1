// Lists the annotations of one page or of all pages.
import type { Annotation } from '../../contract/annotations/annotation.js'
import type { AnnotationList } from '../../contract/annotations/annotation-list.js'
import { pageRef } from '../../contract/page-ref.js'
import type { Reading } from '../../document/reading.js'
import { entry, nameOf } from '../../objects/values.js'
import { readerOf } from '../load-subtypes.js'
import type { AnnotationSource } from './annotation-source.js'
import { commonOf } from './common.js'
import { PageAnnotations } from './page-annotations.js'

export function readAnnotations(reading: Reading, pages: readonly number[]): AnnotationList {
  return {
    annotations: pages.flatMap((page) => annotationsOfPage(reading, page)),
    pages: pages.map(pageRef),
  }
}

function annotationsOfPage(reading: Reading, page: number): Annotation[] {
  const siblings = new PageAnnotations(reading, page)
  const space = reading.spaceOf(page)
  return siblings.entries.map((annotation) => readAnnotation({ ...annotation, reading, space, siblings }))
}

export function readAnnotation(source: AnnotationSource): Annotation {
  source.reading.budget.takeItem()
  return readerOf(nameOf(entry(source.object, 'Subtype')))(source, commonOf(source))
}
