// Removes a widget from its page, and its field with its last widget.
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { WidgetAnnotation } from '../annotations/widget.js'
import { FormField } from '../form-field.js'
import { FormMeta } from '../mutation-meta.js'
import { Nullable } from '../nullable.js'
import { PageRef } from '../page-ref.js'
import { WidgetPatch } from '../widget-look.js'
import { modifyingForms } from './needs.js'
import { opContract } from './op-contract.js'

/** Item of an undo step: widgets that it restored. */
const FormsRestoreWidget = Type.Object({
  type: Type.Literal('forms.restoreWidget'),
  field: Nullable(FormField),
  widgets: Type.Array(WidgetAnnotation),
  meta: FormMeta,
})

export const FormsDeleteWidget = opContract({
  type: 'forms.deleteWidget',
  summary: 'Remove a widget from its page, and its field with its last widget',
  op: { widget: AnnotationRef, expect: Type.Optional(WidgetPatch) },
  item: {
    widget: AnnotationRef,
    page: PageRef,
    /** Field of the widget; null if it was removed with its last widget. */
    field: Nullable(FormField),
    meta: FormMeta,
  },
  undoItems: [FormsRestoreWidget],
  names: { annotations: ({ widget }) => [widget] },
  needs: modifyingForms,
  protection: 'content',
  carries: 'document',
  isBatchable: true,
  route: {
    methods: ['DELETE'],
    path: '/form/widgets/:pageKey/:annotKey',
    named: 'widget',
    auditKind: 'form.deleteWidget',
    body: null,
  },
})
