// `forms.deleteWidget`: removes a widget from its page, and its field with the last widget.

import { opWork, undoWork } from '../change/op-work.js'
import { FormsDeleteWidget } from '../contract/ops/forms-delete-widget.js'
import { mustBeAsExpected } from '../forms/writing/expected.js'
import { formMeta, withFormer } from '../forms/writing/form-meta.js'
import { FormModel, formOnPage } from '../forms/writing/form-model.js'
import { readWidgetAt } from '../forms/writing/read-widget-at.js'
import { restoreWidget } from '../forms/writing/remove-widget.js'
import { skipped } from '../forms/writing/skipped.js'
import { unlistStray } from '../forms/writing/stray-field.js'
import { rejoin, takeWidget } from '../forms/writing/take-widget.js'
import { type RestoreWidgetStep, undoAdd } from '../forms/writing/undo-widgets.js'

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
