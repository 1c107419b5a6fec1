// Changes the order of the widgets of a page.
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { AnnotationPosition } from '../list-position.js'
import { FormMeta } from '../mutation-meta.js'
import { PageRef } from '../page-ref.js'
import { modifyingForms } from './needs.js'
import { opContract } from './op-contract.js'

export const FormsReorderWidgets = opContract({
  type: 'forms.reorderWidgets',
  summary: 'Change the order of the widgets of a page',
  op: { page: PageRef, widgets: Type.Array(AnnotationRef, { minItems: 1 }), position: AnnotationPosition },
  item: {
    page: PageRef,
    /** All widgets of the page, bottom first. */
    order: Type.Array(AnnotationRef),
    /** `changedWidgets`: widgets whose position in the order changed. */
    meta: FormMeta,
  },
  names: { annotations: ({ widgets }) => widgets, pages: ({ page }) => [page] },
  needs: modifyingForms,
  protection: 'content',
  carries: 'own',
  isBatchable: true,
  route: {
    methods: ['POST'],
    path: '/form/widgets/:pageKey/reorder',
    named: 'page',
    auditKind: 'form.reorderWidgets',
  },
})
