// `forms.setAppearanceText`: sets a text that a text field or combo box shows instead of its value, until the value
// is set again.

import { opWork, undoWork } from '../change/op-work.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { FormsSetAppearanceText } from '../contract/ops/forms-set-appearance-text.js'
import { drawOtherText } from '../forms/writing/draw-widget.js'
import { answerDrawn, type DrawingsStep, drawingsOf, undoDrawings } from '../forms/writing/drawings-step.js'
import { formWith } from '../forms/writing/form-model.js'
import { drawRest } from '../forms/writing/left-to-readers.js'

const type = 'forms.setAppearanceText' as const

export const work = opWork(FormsSetAppearanceText, {
  apply({ field: ref, text }, change) {
    const model = formWith(change, [ref])
    const found = model.find(ref)
    const field = model.read(found)
    if (field.family !== 'text' && field.family !== 'combobox') {
      throw new JobRefusal('InvalidArg', `A ${field.family} field shows no text`, { field: found.ref })
    }
    const before = drawingsOf(found)
    for (const { object: widget } of found.widgets) drawOtherText({ model, found, field, widget }, text)
    return answerDrawn(model, found, { type, before, rest: drawRest(model, new Set([found])) })
  },
})

export const undos = [undoWork<DrawingsStep>({ type, apply: undoDrawings })]
