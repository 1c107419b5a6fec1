// `annotations.update`, and its undo: each member is restored unless it was changed since.

import { AnnotatedPage } from '../annotations/annotated-page.js'
import { attachFile } from '../annotations/attached-files.js'
import { changedMembersOf, refuseForeignResources, refuseUnexpected } from '../annotations/members.js'
import { annotationMeta, skipped } from '../annotations/meta.js'
import { pictureFrom } from '../annotations/pictures.js'
import { undoUpdate } from '../annotations/undo-update.js'
import { type Edit, type UpdateStep, updateAnnotation, writingOf } from '../annotations/update.js'
import type { Members } from '../annotations/written-members.js'
import type { Change } from '../change/change.js'
import { opWork, undoWork } from '../change/op-work.js'
import type { Annotation } from '../contract/annotations/annotation.js'
import { isWritableName } from '../contract/annotations/writable.js'
import { AnnotationsUpdate } from '../contract/ops/annotations-update.js'
import { pageRef } from '../contract/page-ref.js'
import type { ResourceKeys } from '../contract/resource-keys.js'

export const work = opWork(AnnotationsUpdate, {
  apply({ ref, patch, resources, expect }, change) {
    const annotated = new AnnotatedPage(change, ref.page.objectNumber)
    const found = annotated.find(ref)
    const current = annotated.read(found)
    writingOf(current)
    refuseUnexpected(expect, current)
    const given = isWritableName(current.subtype) ? changedMembersOf(current.subtype, patch, current) : {}
    const { isChanged, annotation, appearance } = updateAnnotation(
      annotated,
      found,
      prepareEdit(change, current, { given, resources }),
    )
    return {
      type: 'annotations.update' as const,
      page: pageRef(annotated.page),
      annotation,
      appearance,
      meta: annotationMeta(annotated.page, isChanged ? [found.ref] : []),
    }
  },
})

interface UpdateRequest {
  readonly given: Members
  readonly resources: ResourceKeys | undefined
}

function prepareEdit(change: Change, current: Annotation, { given, resources = {} }: UpdateRequest): Edit {
  const { appearance, file } = resources
  refuseForeignResources(resources, writingOf(current).resource)
  const described = 'file' in current ? current.file : null
  return {
    given,
    picture: appearance === undefined ? undefined : pictureFrom(change, change.resource(appearance, 'appearance')),
    file:
      file === undefined
        ? undefined
        : attachFile(change, change.resource(file, 'file'), described && { name: described.name }),
  }
}

export const undos = [
  undoWork<UpdateStep>({
    type: 'annotations.update',
    apply(step, change) {
      if (!change.document.hasPage(step.page)) return skipped('annotations.update', 'gone')
      const annotated = new AnnotatedPage(change, step.page)
      const found = annotated.siblings.numbered(step.number)
      if (found === undefined) return skipped('annotations.update', 'gone')
      const { annotation, appearance, isChanged, skipped: left } = undoUpdate(annotated, found, step)
      return {
        type: 'annotations.update' as const,
        page: pageRef(step.page),
        annotation,
        appearance,
        meta: annotationMeta(step.page, isChanged ? [found.ref] : []),
        ...(left.length > 0 && { skipped: [...left] }),
      }
    },
  }),
]
