// `forms.setValue`: sets the value of a field, and of all fields that are calculated from it.

import { opWork, undoWork } from '../change/op-work.js'
import { FormsSetValue } from '../contract/ops/forms-set-value.js'
import { answerFilled, undoFill, undoFilled, type ValuesStep } from '../forms/writing/answer-filled.js'
import { mustBeAsExpected } from '../forms/writing/expected.js'
import { isAsLeft, stateOf } from '../forms/writing/field-state.js'
import { currentValue } from '../forms/writing/field-value.js'
import { FormFill } from '../forms/writing/filling.js'
import { formWith } from '../forms/writing/form-model.js'
import { skipped } from '../forms/writing/skipped.js'

const type = 'forms.setValue' as const

export const work = opWork(FormsSetValue, {
  apply({ field, value, expect }, change) {
    const model = formWith(change, [field])
    const found = model.find(field)
    mustBeAsExpected(withoutBlank(expect), currentValue(model.read(found)) ?? {})
    const filling = new FormFill(model)
    filling.set(found, value)
    const filled = filling.finish()
    undoFilled(model, type, filled)
    return { type, field: model.read(found), ...answerFilled(model, [found], filled) }
  },
})

/** Returns the value; a missing one equals an empty text. */
const withoutBlank = (value: object | undefined): object | undefined =>
  value !== undefined && 'value' in value && value.value === '' ? { value: null } : value

/**
 * Undoes the write. A calculated value that was changed since is calculated again; any other field must be as the
 * change left it.
 */
export const undos = [
  undoWork<ValuesStep>({
    type,
    apply(step, change) {
      const [main] = step.changes
      const model = formWith(change, [])
      const found = main === undefined ? undefined : model.lookUp(main.field)
      if (main === undefined || found === undefined) return skipped(type, 'gone', main?.field)
      if (!isAsLeft(stateOf(model, found), main.after)) return skipped(type, 'changed', main.field)
      const { filled } = undoFill(model, step)
      undoFilled(model, type, filled)
      return { type, field: model.read(found), ...answerFilled(model, [found], filled) }
    },
  }),
]
