// Changes the position, look and actions of a widget.
import { Type } from 'typebox'
import { AnnotationRef } from '../annotation-ref.js'
import { WidgetAnnotation } from '../annotations/widget.js'
import { AppearanceOutcome } from '../appearance-outcome.js'
import { FormMeta } from '../mutation-meta.js'
import { skippedMembers } from '../skipped-members.js'
import { WidgetPatch } from '../widget-look.js'
import { modifyingForms } from './needs.js'
import { opContract } from './op-contract.js'

export const FormsUpdateWidget = opContract({
  type: 'forms.updateWidget',
  summary: 'Change the position, look and actions of a widget',
  op: { widget: AnnotationRef, patch: WidgetPatch, expect: Type.Optional(WidgetPatch) },
  item: { widget: WidgetAnnotation, appearance: AppearanceOutcome, meta: FormMeta, ...skippedMembers },
  names: { annotations: ({ widget }) => [widget] },
  authored: {
    updatedAnnotation: ({ widget: { ref }, meta }) => ({ ref, isRewritten: meta.changedWidgets.length > 0 }),
  },
  needs: modifyingForms,
  protection: 'content',
  carries: 'document',
  isBatchable: true,
  route: {
    methods: ['PATCH'],
    path: '/form/widgets/:pageKey/:annotKey',
    named: 'widget',
    auditKind: 'form.updateWidget',
  },
})
