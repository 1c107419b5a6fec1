// Gives fields their default values.
import { Type } from 'typebox'
import { WidgetAnnotation } from '../annotations/widget.js'
import { FormField } from '../form-field.js'
import { FormFieldRef } from '../form-field-ref.js'
import { calculations } from '../form-results.js'
import { FormMeta } from '../mutation-meta.js'
import { skippedMembers } from '../skipped-members.js'
import { strict } from '../strict.js'
import { filledOf } from './authored.js'
import { filling } from './needs.js'
import { opContract, routeBody } from './op-contract.js'

/** Body of the route; without a body or without refs, all fields are reset. */
const Body = Type.Object({ refs: Type.Optional(Type.Array(FormFieldRef)) }, strict)

export const FormsReset = opContract({
  type: 'forms.reset',
  summary: 'Give fields their default values: those that are named, or all',
  op: { fields: Type.Optional(Type.Array(FormFieldRef)) },
  item: {
    fields: Type.Array(FormField),
    widgets: Type.Array(WidgetAnnotation),
    calculations,
    meta: FormMeta,
    ...skippedMembers,
  },
  names: { fields: ({ fields = [] }) => fields },
  authored: { filledFields: ({ fields, meta }) => filledOf(fields, meta) },
  needs: filling,
  protection: 'fill',
  carries: 'document',
  isBatchable: true,
  route: {
    methods: ['POST'],
    path: '/form/reset',
    auditKind: 'form.reset',
    body: routeBody(Body, ({ refs }) => ({ ...(refs !== undefined && { fields: refs }) })),
    isBodyOptional: true,
  },
})
