// Checkboxes.
import { Checkbox } from '../../contract/fields/checkbox.js'
import { drawToggle } from '../drawing/draw-toggle.js'
import { familyWork } from '../family-work.js'
import { textIn } from '../reading/field-values.js'
import { isOn, togglesIn } from '../reading/toggles.js'
import { resetState, statesOf, writeState } from '../writing/toggle-states.js'

export const work = familyWork(Checkbox, {
  read(base, source) {
    const widgets = togglesIn(source)
    const shown = widgets.find(({ checked }) => checked) ?? widgets[0]
    const value = textIn(base.valueEntry)
    return {
      ...base,
      family: 'checkbox',
      checked: widgets.length > 0 ? widgets.some(({ checked }) => checked) : isOn(value),
      exportValue: shown?.exportValue ?? (isOn(value) ? value : 'Yes'),
      widgets,
    }
  },
  value: {
    accepted: 'takes { checked: boolean }',
    current: ({ checked }) => ({ checked }),
    write(writing, value) {
      if (!('checked' in value)) return false
      const { field, found } = writing
      const place = Math.max(
        0,
        field.widgets.findIndex((widget) => widget.checked),
      )
      writeState(writing, value.checked ? (statesOf(found)[place] ?? field.exportValue) : undefined, true)
      return true
    },
    reset: resetState,
  },
  draw: drawToggle,
})
