// `forms.deleteWidget`: takes a widget off its page, and its field with it where that shows nowhere else.

import { FormsDeleteWidget } from '../../shapes/changes/forms-widgets.js'
import { mustBeAsExpected } from '../forms/expected.js'
import { formMeta, withFormer } from '../forms/form-meta.js'
import { FormModel, formOnPage } from '../forms/form-model.js'
import { readWidgetAt } from '../forms/read-widget-at.js'
import { restoreWidget } from '../forms/remove-widget.js'
import { skipped } from '../forms/skipped.js'
import { unlistStray } from '../forms/stray-field.js'
import { rejoin, takeWidget } from '../forms/take-widget.js'
import { type RestoreWidgetStep, undoAdd } from '../forms/undo-widgets.js'
import { changeOperation, undoOperation } from '../operation.js'

export const formsDeleteWidget = changeOperation(FormsDeleteWidget, {
  type: 'forms.deleteWidget',
  apply({ widget: ref, expect }, change) {
    const model = formOnPage(change, ref.page.objectNumber)
    const widget = model.findWidget(ref)
    mustBeAsExpected(expect, readWidgetAt(model, widget))
    return takeWidget(model, widget)
  },
})

export const formsDeleteWidgetUndo = undoOperation<RestoreWidgetStep>({
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
})
