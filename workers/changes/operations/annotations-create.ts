// `annotations.create`, and how it is taken back: the annotation is deleted, unless others answer it by now.
import { entry, nameOf } from '../../pdf/values.js'
import { AnnotationsCreate } from '../../shapes/changes/annotations-create.js'
import { pageRef } from '../../shapes/page-ref.js'
import { JobRefusal } from '../../task.js'
import { AnnotatedPage } from '../annotations/annotated-page.js'
import { createAnnotation } from '../annotations/create.js'
import { annotationMeta, skipped } from '../annotations/meta.js'
import { numberOf } from '../annotations/remove.js'
import { changeOperation, undoOperation } from '../operation.js'
import { deleteFrom } from './annotations-delete.js'

export const annotationsCreate = changeOperation(AnnotationsCreate, {
  type: 'annotations.create',
  apply({ page, data, objectNumber, resources }, change) {
    if (objectNumber !== undefined) {
      const details = { objectNumber, reason: 'not-held' }
      throw new JobRefusal('ObjectNumberUnavailable', `Nobody reserved the object number ${objectNumber}`, details)
    }
    const annotated = new AnnotatedPage(change, page.objectNumber)
    const made = createAnnotation(annotated, data, resources)
    const step: CreateStep = { type: 'annotations.create', page: annotated.page, number: numberOf(made.object) }
    change.undoBy(step)
    return {
      type: 'annotations.create' as const,
      page: pageRef(annotated.page),
      annotation: annotated.read(made),
      meta: annotationMeta(annotated.page, [made.ref]),
    }
  },
})

interface CreateStep {
  readonly type: 'annotations.create'
  readonly page: number
  readonly number: number
}

export const annotationsCreateUndo = undoOperation<CreateStep>({
  type: 'annotations.create',
  apply({ page, number }, change) {
    if (!change.document.hasPage(page)) return skipped('annotations.delete')
    const annotated = new AnnotatedPage(change, page)
    const found = annotated.siblings.numbered(number)
    return found === undefined || isAnswered(annotated, number)
      ? skipped('annotations.delete')
      : deleteFrom(annotated, found)
  },
})

function isAnswered({ siblings }: AnnotatedPage, number: number): boolean {
  const hanging = [...siblings.hangingOn(number)].flatMap((one) => siblings.numbered(one) ?? [])
  return hanging.some(({ object }) => nameOf(entry(object, 'Subtype')) !== 'Popup')
}
