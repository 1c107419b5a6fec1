// Names of annotations, for comparing them.
import type { AnnotationRef } from '../../../../workers/contract/annotation-ref.js'

export const annotationKey = (ref: AnnotationRef): string =>
  ref.kind === 'objectNumber' ? `object ${ref.objectNumber}` : `page ${ref.page.objectNumber}, ${ref.baseIndex}`
