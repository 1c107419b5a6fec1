// Radio groups.
import { Radio } from '../../contract/fields/radio.js'
import { drawToggle } from '../drawing/draw-toggle.js'
import { familyWork } from '../family-work.js'
import { textIn } from '../reading/field-values.js'
import { isOn, togglesIn } from '../reading/toggles.js'
import { resetState, statesOf, writeState } from '../writing/toggle-states.js'
import { refusal } from '../writing/write-entries.js'

export const work = familyWork(Radio, {
  read(base, source, hasFlag) {
    const widgets = togglesIn(source)
    const value = textIn(base.valueEntry)
    return {
      ...base,
      family: 'radio',
      value: widgets.find(({ checked }) => checked)?.exportValue ?? (isOn(value) ? value : ''),
      radiosInUnison: hasFlag('radiosInUnison'),
      noToggleToOff: hasFlag('noToggleToOff'),
      widgets,
    }
  },
  patchOf: ({ radiosInUnison, noToggleToOff }) => ({ radiosInUnison, noToggleToOff }),
  value: {
    accepted: 'takes { value: string or null }',
    current: ({ value }) => ({ value: value === '' ? null : value }),
    write(writing, wanted) {
      if (!('value' in wanted)) return false
      const { value } = wanted
      const { field, found } = writing
      const place = field.widgets.findIndex(({ exportValue }) => exportValue === value)
      if (value === null) writeState(writing, undefined, true)
      else if (place < 0) throw refusal(field, `has no button for "${value.slice(0, 200)}"`)
      else writeState(writing, statesOf(found)[place], field.radiosInUnison)
      return true
    },
    reset: resetState,
  },
  draw: drawToggle,
})
