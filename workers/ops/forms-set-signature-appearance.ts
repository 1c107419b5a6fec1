// `forms.setSignatureAppearance`: sets the first page of a PDF as the appearance of a signature field.

import { pictureFrom } from '../annotations/pictures.js'
import { opWork, undoWork } from '../change/op-work.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { FormsSetSignatureAppearance } from '../contract/ops/forms-set-signature-appearance.js'
import { inherited } from '../fields/inheritance.js'
import { answerDrawn, type DrawingsStep, drawingsOf, undoDrawings } from '../forms/writing/drawings-step.js'
import { formWith } from '../forms/writing/form-model.js'
import { putPicture } from '../forms/writing/put-picture.js'
import { isMissing } from '../objects/values.js'

const type = 'forms.setSignatureAppearance' as const

export const work = opWork(FormsSetSignatureAppearance, {
  apply({ field: ref, appearance }, change) {
    const model = formWith(change, [ref])
    const found = model.find(ref)
    const { family } = model.read(found)
    if (family !== 'signature') {
      throw new JobRefusal('InvalidArg', `A ${family} field has no signature appearance`, { field: found.ref })
    }
    const value = inherited(found.node.lineage, 'V')
    if (value !== undefined && !isMissing(value)) {
      throw new JobRefusal('InvalidArg', 'The field is signed, so its appearance cannot be changed', {
        field: found.ref,
      })
    }
    const before = drawingsOf(found)
    const picture = pictureFrom(change, change.resource(appearance.pdf, 'appearance'))
    for (const { object: widget } of found.widgets) putPicture(change, change.touch(widget), picture)
    return answerDrawn(model, found, { type, before })
  },
})

export const undos = [undoWork<DrawingsStep>({ type, apply: undoDrawings })]
