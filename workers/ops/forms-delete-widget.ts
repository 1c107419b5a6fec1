// `forms.deleteWidget`: takes a widget off its page, and its field with it where that shows nowhere else.

import { mustBeAsExpected } from '../changes/forms/expected.js'
import { formMeta, withFormer } from '../changes/forms/form-meta.js'
import { FormModel, formOnPage } from '../changes/forms/form-model.js'
import { readWidgetAt } from '../changes/forms/read-widget-at.js'
import { restoreWidget } from '../changes/forms/remove-widget.js'
import { skipped } from '../changes/forms/skipped.js'
import { unlistStray } from '../changes/forms/stray-field.js'
import { rejoin, takeWidget } from '../changes/forms/take-widget.js'
import { type RestoreWidgetStep, undoAdd } from '../changes/forms/undo-widgets.js'
import { opWork, undoWork } from '../changes/operation.js'
import { FormsDeleteWidget } from '../contract/ops/forms-delete-widget.js'

export const work = opWork(FormsDeleteWidget, {
  apply({ widget: ref, expect }, change) {
    const model = formOnPage(change, ref.page.objectNumber)
    const widget = model.findWidget(ref)
    mustBeAsExpected(expect, readWidgetAt(model, widget))
    return takeWidget(model, widget)
  },
})

export const undos = [
  undoWork<RestoreWidgetStep>({
    type: 'forms.restoreWidget',
    apply({ removed, listed = [] }, change) {
      if (!restoreWidget(change, removed)) return skipped('forms.restoreWidget')
      const restored = new FormModel(change).widgets.placed.find(({ place }) => place.objectNumber === removed.number)
      const owner = restored && new FormModel(change).fieldOf(restored)
      if (owner !== undefined) rejoin(change, owner.ref)
      unlistStray(change, listed)
      const model = new FormModel(change)
      const placed = model.widgets.placed.find(({ place }) => place.objectNumber === removed.number)
      const found = placed === undefined ? undefined : model.fieldOf(placed)
      undoAdd(change, removed.number)
      const meta = formMeta(change, found === undefined ? [] : [found], placed === undefined ? [] : [placed.place])
      return {
        type: 'forms.restoreWidget' as const,
        field: found === undefined ? null : model.read(found),
        widgets: placed === undefined ? [] : [readWidgetAt(model, placed)],
        meta: owner === undefined ? meta : withFormer(meta, owner.ref),
      }
    },
  }),
]
