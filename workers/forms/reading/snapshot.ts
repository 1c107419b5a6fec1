// Reads the whole form of a document (ISO 32000-2, 12.7.3).

import type { FormField } from '../../contract/form-field.js'
import type { FormFieldRef } from '../../contract/form-field-ref.js'
import type { FormSnapshot } from '../../contract/form-snapshot.js'
import type { Reading } from '../../document/reading.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { booleanOf, elementsOf, entry, isDictionary, isMissing, objectNumberOf } from '../../objects/values.js'
import { readFields } from './fields.js'
import { FormWidgets } from './form-widgets.js'

export function readForm(reading: Reading): FormSnapshot {
  const widgets = new FormWidgets(reading)
  const fields = readFields(reading, widgets)
  return {
    formKind: formKindOf(reading),
    needsAppearances: booleanOf(entry(reading.form, 'NeedAppearances')) ?? false,
    fields,
    widgets: widgets.annotations(),
    calculationOrder: calculationOrderOf(reading, fields),
  }
}

function formKindOf({ form }: Reading): FormSnapshot['formKind'] {
  if (!isDictionary(form)) return 'none'
  return isMissing(entry(form, 'XFA')) ? 'acroform' : 'xfa'
}

export function calculationOrderOf(
  { form }: Reading,
  fields: readonly Pick<FormField, 'ref'>[],
): (FormFieldRef | null)[] {
  const refs = new Map(
    fields.flatMap(({ ref }) => (ref.kind === 'objectNumber' ? [[ref.objectNumber, ref] as const] : [])),
  )
  return [...elementsOf(entry(form, 'CO'), readingLimits.fieldNodesMax)].map(
    (object) => refs.get(objectNumberOf(object) ?? 0) ?? null,
  )
}
