// `forms.removeWidget`: removes a widget from its field; the field stays.

import { opWork } from '../change/op-work.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { FormsRemoveWidget } from '../contract/ops/forms-remove-widget.js'
import { fieldKey } from '../fields/field-names.js'
import { formMeta, withFormer } from '../forms/writing/form-meta.js'
import { FormModel, formOnPage } from '../forms/writing/form-model.js'
import { detach } from '../forms/writing/take-widget.js'

export const work = opWork(FormsRemoveWidget, {
  apply({ field: ref, widget: widgetRef }, change) {
    const page = widgetRef.page.objectNumber
    const model = formOnPage(change, page)
    const found = model.find(ref)
    const placed = model.findWidget(widgetRef)
    const { place } = placed
    if (!found.widgets.some((one) => one.place.objectNumber === place.objectNumber)) {
      throw new JobRefusal('InvalidArg', `The widget does not belong to the field ${fieldKey(ref)}`, {
        field: found.ref,
      })
    }
    detach(model, found, placed)
    const now = new FormModel(change)
    const remaining = now.find(found.ref)
    const meta = withFormer(formMeta(change, [remaining], [place]), found.ref)
    return { type: 'forms.removeWidget' as const, field: now.read(remaining), widgets: now.widgetsOf(remaining), meta }
  },
})
