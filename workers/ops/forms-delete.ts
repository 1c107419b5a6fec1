// `forms.delete`: takes a field out of the form with all its widgets and what hangs under it.

import { deleteField, type RestoreStep } from '../changes/forms/delete-field.js'
import { mustBeAsExpected } from '../changes/forms/expected.js'
import { formMeta } from '../changes/forms/form-meta.js'
import { FormModel, formWith } from '../changes/forms/form-model.js'
import { restoreField } from '../changes/forms/remove-field.js'
import { skipped } from '../changes/forms/skipped.js'
import { undoCreate } from '../changes/forms/undo-create.js'
import { membersOf } from '../changes/forms/write-members.js'
import { opWork, undoWork } from '../changes/operation.js'
import { FormsDelete } from '../contract/ops/forms-delete.js'

export const work = opWork(FormsDelete, {
  apply({ field, expect }, change) {
    const model = formWith(change, [field])
    const found = model.find(field)
    mustBeAsExpected(expect, membersOf(model.read(found)))
    return deleteField(model, found)
  },
})

export const undos = [
  undoWork<RestoreStep>({
    type: 'forms.restore',
    apply({ removed }, change) {
      if (!restoreField(change, removed)) return skipped('forms.restore')
      const ref = { kind: 'objectNumber', objectNumber: removed.number } as const
      const model = new FormModel(change)
      const shown = model.lookUp(ref)
      if (shown === undefined) return skipped('forms.restore')
      undoCreate(model, shown.ref)
      const meta = formMeta(change, [shown])
      return { type: 'forms.restore' as const, field: model.read(shown), widgets: model.widgetsOf(shown), meta }
    },
  }),
]
