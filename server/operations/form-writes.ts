// Writing forms, one field or widget at a time: each request is a change by itself.
import { type Static, Type } from 'typebox'
import { FormFieldRef } from '../../workers/contract/form-field-ref.js'
import { WidgetPatch } from '../../workers/contract/ops/forms-look.js'
import { FormFieldValue, FormsReset, FormsSetValue } from '../../workers/contract/ops/forms-values.js'
import {
  FormsDeleteWidget,
  FormsReorderCalculations,
  FormsReorderWidgets,
  FormsUpdateWidget,
} from '../../workers/contract/ops/forms-widgets.js'
import { strict } from '../../workers/contract/ops/strict.js'
import { pageRef } from '../../workers/contract/page-ref.js'
import { writeOne } from '../changes/write-one.js'
import { annotationRefOf } from '../documents/annotation-key.js'
import { operation } from '../operation.js'
import { AnnotationPath, FieldPath, LayerPath, objectNumberOf, PagePath } from '../schemas/ids.js'

const form = '/v1/docs/:docId/layers/:layerName/form'
const filling = { kind: 'document', capabilities: ['doc.forms.fill'] } as const
const modifying = { kind: 'document', capabilities: ['doc.forms.modify'] } as const

/** Under `value`, or by itself: the two cannot be mistaken, because no value inside of a value is an object. */
const ValueBody = Type.Union([Type.Object({ value: FormFieldValue }, strict), FormFieldValue])

const valueIn = (body: Static<typeof ValueBody>): Static<typeof FormFieldValue> =>
  'value' in body && typeof body.value === 'object' && body.value !== null ? body.value : asBare(body)

/** What is not wrapped is the value itself. */
function asBare(body: Static<typeof ValueBody>): Static<typeof FormFieldValue> {
  if ('checked' in body || 'selectedValues' in body) return body
  return { value: typeof body.value === 'string' ? body.value : null }
}

/** `obj:12`, or `fqn:address.street`. */
const fieldRefOf = (key: string): FormFieldRef =>
  key.startsWith('fqn:')
    ? { kind: 'fqn', name: key.slice('fqn:'.length) }
    : { kind: 'objectNumber', objectNumber: Number(key.slice('obj:'.length)) }

export const formWriteOperations = [
  operation({
    name: 'doc.forms.setValue',
    summary: 'Put a value into a field, and into all that is calculated from it',
    plane: 'document',
    method: 'POST',
    path: `${form}/fields/:fieldKey/value`,
    authority: filling,
    input: { params: FieldPath, body: ValueBody },
    isChange: true,
    answer: Type.Omit(FormsSetValue.item, ['type']),
    handle: ({ params, body }, context) =>
      writeOne(context, { type: 'forms.setValue', field: fieldRefOf(params.fieldKey), value: valueIn(body) }),
  }),
  operation({
    name: 'doc.forms.reset',
    summary: 'Give fields their default values: those that are named, or all',
    plane: 'document',
    method: 'POST',
    path: `${form}/reset`,
    authority: filling,
    input: { params: LayerPath, body: Type.Object({ refs: Type.Optional(Type.Array(FormFieldRef)) }, strict) },
    isBodyOptional: true,
    isChange: true,
    answer: Type.Omit(FormsReset.item, ['type', 'skipped']),
    handle: ({ body }, context) =>
      writeOne(context, { type: 'forms.reset', ...(body?.refs !== undefined && { fields: body.refs }) }),
  }),
  operation({
    name: 'doc.forms.updateWidget',
    summary: 'Change where a widget lies, how it looks and what happens on it',
    plane: 'document',
    method: 'PATCH',
    path: `${form}/widgets/:pageKey/:annotKey`,
    authority: modifying,
    input: { params: AnnotationPath, body: Type.Object({ patch: WidgetPatch }, strict) },
    isChange: true,
    answer: Type.Omit(FormsUpdateWidget.item, ['type', 'skipped']),
    handle: ({ params, body }, context) => {
      const widget = annotationRefOf(params.pageKey, params.annotKey)
      return writeOne(context, { type: 'forms.updateWidget', widget, patch: body.patch })
    },
  }),
  operation({
    name: 'doc.forms.deleteWidget',
    summary: 'Take a widget off its page, and its field with it where that shows nowhere else',
    plane: 'document',
    method: 'DELETE',
    path: `${form}/widgets/:pageKey/:annotKey`,
    authority: modifying,
    input: { params: AnnotationPath },
    isChange: true,
    answer: Type.Omit(FormsDeleteWidget.item, ['type']),
    handle: ({ params }, context) =>
      writeOne(context, { type: 'forms.deleteWidget', widget: annotationRefOf(params.pageKey, params.annotKey) }),
  }),
  operation({
    name: 'doc.forms.reorderWidgets',
    summary: 'Change the order of the widgets of a page',
    plane: 'document',
    method: 'POST',
    path: `${form}/widgets/:pageKey/reorder`,
    authority: modifying,
    input: { params: PagePath, body: Type.Pick(FormsReorderWidgets.op, ['widgets', 'position'], strict) },
    isChange: true,
    answer: Type.Omit(FormsReorderWidgets.item, ['type']),
    handle: ({ params, body }, context) =>
      writeOne(context, { type: 'forms.reorderWidgets', page: pageRef(objectNumberOf(params.pageKey)), ...body }),
  }),
  operation({
    name: 'doc.forms.reorderCalculations',
    summary: 'Change the order in which fields are calculated',
    plane: 'document',
    method: 'POST',
    path: `${form}/calculations/reorder`,
    authority: modifying,
    input: { params: LayerPath, body: Type.Pick(FormsReorderCalculations.op, ['fields', 'position'], strict) },
    isChange: true,
    answer: Type.Omit(FormsReorderCalculations.item, ['type']),
    handle: ({ body }, context) => writeOne(context, { type: 'forms.reorderCalculations', ...body }),
  }),
] as const
