// Sets the value of a field, and of all fields that are calculated from it.
import { type Static, Type } from 'typebox'
import { FormFieldValue } from '../field-value.js'
import { FormFieldRef } from '../form-field-ref.js'
import { calculations, changedField } from '../form-results.js'
import { strict } from '../strict.js'
import { filledOf } from './authored.js'
import { filling } from './needs.js'
import { opContract, routeBody } from './op-contract.js'

/**
 * Body of the route: the value as the member `value`, or the value itself. The two can be distinguished, because no
 * value contains an object.
 */
const Body = Type.Union([Type.Object({ value: FormFieldValue }, strict), FormFieldValue])

export const FormsSetValue = opContract({
  type: 'forms.setValue',
  summary: 'Set the value of a field, and of all fields that are calculated from it',
  op: { field: FormFieldRef, value: FormFieldValue, expect: Type.Optional(FormFieldValue) },
  item: { field: changedField.field, widgets: changedField.widgets, calculations, meta: changedField.meta },
  names: { fields: ({ field }) => [field] },
  authored: { filledFields: ({ field, meta }) => filledOf([field], meta) },
  needs: filling,
  protection: 'fill',
  carries: 'values',
  isBatchable: true,
  route: {
    methods: ['POST'],
    path: '/form/fields/:fieldKey/value',
    named: 'field',
    auditKind: 'form.setValue',
    body: routeBody(Body, (body) => ({ value: valueIn(body) })),
  },
})

const valueIn = (body: Static<typeof Body>): FormFieldValue =>
  'value' in body && typeof body.value === 'object' && body.value !== null ? body.value : bareValue(body)

/** Returns the schema of the value itself, in a body without the member `value`. */
function bareValue(body: Static<typeof Body>): FormFieldValue {
  if ('checked' in body || 'selectedValues' in body) return body
  return { value: typeof body.value === 'string' ? body.value : null }
}
