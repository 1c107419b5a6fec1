// `forms.delete`: removes a field from the form with its widgets and descendants.

import { opWork, undoWork } from '../change/op-work.js'
import { FormsDelete } from '../contract/ops/forms-delete.js'
import { deleteField, type RestoreStep } from '../forms/writing/delete-field.js'
import { mustBeAsExpected } from '../forms/writing/expected.js'
import { formMeta } from '../forms/writing/form-meta.js'
import { FormModel, formWith } from '../forms/writing/form-model.js'
import { restoreField } from '../forms/writing/remove-field.js'
import { skipped } from '../forms/writing/skipped.js'
import { undoCreate } from '../forms/writing/undo-create.js'
import { membersOf } from '../forms/writing/write-members.js'

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
