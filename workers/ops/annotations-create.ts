// `annotations.create`, and its undo: the annotation is deleted, unless others reply to it or it was changed since.
import { isDeepStrictEqual } from 'node:util'
import { AnnotatedPage } from '../annotations/annotated-page.js'
import { createAnnotation } from '../annotations/create.js'
import { writtenOf } from '../annotations/members.js'
import { annotationMeta, skipped } from '../annotations/meta.js'
import { numberOf } from '../annotations/remove.js'
import type { Members } from '../annotations/written-members.js'
import { opWork, undoWork } from '../change/op-work.js'
import { AnnotationsCreate } from '../contract/ops/annotations-create.js'
import { pageRef } from '../contract/page-ref.js'
import type { SkippedReason } from '../contract/skipped-item.js'
import { entry, nameOf } from '../objects/values.js'
import { deleteFrom } from './annotations-delete.js'

export const work = opWork(AnnotationsCreate, {
  apply({ page, data, objectNumber, resources }, change) {
    const annotated = new AnnotatedPage(change, page.objectNumber)
    const made = createAnnotation(annotated, data, { resources, objectNumber })
    const annotation = annotated.read(made)
    const { page: onPage } = annotated
    const number = numberOf(made.object)
    const step: CreateStep = { type: 'annotations.create', page: onPage, number, made: writtenOf(annotation) }
    change.undoBy(step)
    return {
      type: 'annotations.create' as const,
      page: pageRef(annotated.page),
      annotation,
      meta: annotationMeta(annotated.page, [made.ref]),
    }
  },
})

export interface CreateStep {
  readonly type: 'annotations.create'
  readonly page: number
  readonly number: number
  /** Writable members of the new annotation; steps of earlier versions have none. */
  readonly made?: Members
}

export const undos = [
  undoWork<CreateStep>({
    type: 'annotations.create',
    apply({ page, number, made }, change) {
      const left = (reason: SkippedReason) =>
        skipped('annotations.delete', reason, { kind: 'objectNumber', page: pageRef(page), objectNumber: number })
      if (!change.document.hasPage(page)) return left('gone')
      const annotated = new AnnotatedPage(change, page)
      const found = annotated.siblings.numbered(number)
      if (found === undefined) return left('gone')
      if (isAnswered(annotated, number)) return left('answered')
      const isAsMade = made === undefined || isSameJson(writtenOf(annotated.read(found)), made)
      return isAsMade ? deleteFrom(annotated, found) : left('changed')
    },
  }),
]

/** Compares members as JSON, because steps are stored as JSON. */
const isSameJson = (one: Members, other: Members): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)))

function isAnswered({ siblings }: AnnotatedPage, number: number): boolean {
  const hanging = [...siblings.dependentsOf(number)].flatMap((one) => siblings.numbered(one) ?? [])
  return hanging.some(({ object }) => nameOf(entry(object, 'Subtype')) !== 'Popup')
}
