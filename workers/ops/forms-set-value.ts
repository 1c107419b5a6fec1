// `forms.setValue`: puts a value into a field, and into all that is calculated from it.

import { answerFilled, takeBack, undoFilled, type ValuesStep } from '../changes/forms/answer-filled.js'
import { mustBeAsExpected } from '../changes/forms/expected.js'
import { isAsLeft, stateOf } from '../changes/forms/field-state.js'
import { currentValue } from '../changes/forms/field-value.js'
import { Filling } from '../changes/forms/filling.js'
import { formWith } from '../changes/forms/form-model.js'
import { skipped } from '../changes/forms/skipped.js'
import { opWork, undoWork } from '../changes/operation.js'
import { FormsSetValue } from '../contract/ops/forms-set-value.js'

const type = 'forms.setValue' as const

export const work = opWork(FormsSetValue, {
  apply({ field, value, expect }, change) {
    const model = formWith(change, [field])
    const found = model.find(field)
    mustBeAsExpected(withoutBlank(expect), currentValue(model.read(found)) ?? {})
    const filling = new Filling(model)
    filling.set(found, value)
    const filled = filling.finish()
    undoFilled(model, type, filled)
    return { type, field: model.read(found), ...answerFilled(model, [found], filled) }
  },
})

/** Nothing and an empty text are the same. */
const withoutBlank = (value: object | undefined): object | undefined =>
  value !== undefined && 'value' in value && value.value === '' ? { value: null } : value

/** A calculated value that somebody changed since is calculated anew; any other field must be as the change left it. */
export const undos = [
  undoWork<ValuesStep>({
    type,
    apply(step, change) {
      const [main] = step.changes
      const model = formWith(change, [])
      const found = main === undefined ? undefined : model.lookUp(main.field)
      if (main === undefined || found === undefined) return skipped(type, 'gone', main?.field)
      if (!isAsLeft(stateOf(model, found), main.after)) return skipped(type, 'changed', main.field)
      const { filled } = takeBack(model, step)
      undoFilled(model, type, filled)
      return { type, field: model.read(found), ...answerFilled(model, [found], filled) }
    },
  }),
]
