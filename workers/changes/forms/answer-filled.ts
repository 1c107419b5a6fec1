// What a write of values answers, and how it is taken back.
import type { FoundField } from '../../pdf/forms/fields.js'
import type { Change } from '../change.js'
import type { FieldChange } from './field-state.js'
import type { Filled } from './filling.js'
import { formMeta, unchanged } from './form-meta.js'
import type { FormModel } from './form-model.js'

export interface ValuesStep {
  readonly type: 'forms.setValue' | 'forms.reset'
  readonly changes: readonly FieldChange[]
}

/** Takes back what was filled, as far as anything was. */
export function undoFilled({ change }: FormModel, type: ValuesStep['type'], { changes }: Filled): void {
  const step: ValuesStep = { type, changes }
  if (changes.length > 0) change.undoBy(step)
}

/** `asked`: fields that are told of whether or not they changed. */
export function answerFilled(model: FormModel, asked: readonly FoundField[], filled: Filled) {
  // With those that were drawn at last: whoever follows changes learns of what they look like only here.
  const told = [...new Set([...asked, ...filled.fields, ...filled.drawn])]
  return {
    widgets: model.widgetsOf(...told),
    ...(filled.left.length > 0 && { calculations: { left: [...filled.left] } }),
    meta: metaOf(model.change, filled),
  }
}

function metaOf(change: Change, { fields, drawn }: Filled) {
  if (fields.length === 0) return unchanged()
  return formMeta(
    change,
    fields,
    [...fields, ...drawn].flatMap(({ widgets }) => widgets.map(({ place }) => place)),
  )
}
