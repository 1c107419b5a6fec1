// `forms.reset`: sets all fields, or the named ones, to their default values.

import { opWork, undoWork } from '../change/op-work.js'
import { FormsReset } from '../contract/ops/forms-reset.js'
import type { FoundField } from '../forms/reading/found-field.js'
import { answerFilled, undoFill, undoFilled, type ValuesStep } from '../forms/writing/answer-filled.js'
import { hasValue } from '../forms/writing/field-value.js'
import { type FilledField, FormFill } from '../forms/writing/filling.js'
import { type FormModel, formWith, wholeForm } from '../forms/writing/form-model.js'

const type = 'forms.reset' as const

export const work = opWork(FormsReset, {
  apply({ fields: refs }, change) {
    const model = refs === undefined ? wholeForm(change) : formWith(change, refs)
    const requested = refs === undefined ? model.fields : [...new Set(refs.map((ref) => model.find(ref)))]
    const reset = requested.filter((found) => hasValue(model.read(found)))
    const filling = new FormFill(model)
    for (const found of reset) filling.reset(found)
    return answer(model, reset, filling.finish())
  },
})

/** Undoes the reset. Fields that were changed since keep their value and are listed as skipped. */
export const undos = [
  undoWork<ValuesStep>({
    type,
    apply(step, change) {
      const model = formWith(change, [])
      const { restored, changedSince, filled } = undoFill(model, step)
      const skipped = changedSince.map(({ node }) => node.name)
      return { ...answer(model, restored, filled), ...(skipped.length > 0 && { skipped }) }
    },
  }),
]

function answer(model: FormModel, requested: readonly FoundField[], filled: FilledField) {
  undoFilled(model, type, filled)
  const listed = [...new Set([...requested, ...filled.fields])]
  return { type, fields: listed.map((found) => model.read(found)), ...answerFilled(model, requested, filled) }
}
