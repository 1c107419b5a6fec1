// Combo boxes.
import { Combobox } from '../../contract/fields/combobox.js'
import { inherited } from '../../fields/inheritance.js'
import { textAppearance } from '../drawing/value-text.js'
import { familyWork } from '../family-work.js'
import { textIn } from '../reading/field-values.js'
import { optionsOf } from '../reading/options.js'
import { shownText } from '../scripts/field-scripts.js'
import { defaultText, plainOptions } from '../writing/patches.js'
import { putAppearance } from '../writing/put-appearance.js'
import { noOption, resetText, writeText } from '../writing/text-values.js'

export const work = familyWork(Combobox, {
  read(base, { reading, lineage }, hasFlag) {
    const value = textIn(base.valueEntry)
    return {
      ...base,
      family: 'combobox',
      value,
      defaultValue: textIn(base.defaultValueEntry),
      edit: hasFlag('edit'),
      options: optionsOf(reading, inherited(lineage, 'Opt'), [value]),
    }
  },
  patchOf: (field) => ({ edit: field.edit, options: plainOptions(field), defaultValue: defaultText(field) }),
  value: {
    accepted: 'takes { value: string or null }',
    current: ({ value }) => ({ value: value === '' ? null : value }),
    write(writing, value) {
      if (!('value' in value)) return false
      const { field } = writing
      const text = value.value ?? ''
      const isOption = field.options.some((option) => option.value === text)
      if (!field.edit && text !== '' && !isOption) throw noOption(field, text)
      writeText(writing, text, { isOneLine: true, isOption })
      return true
    },
    reset: (writing) => resetText(writing),
  },
  showsByText: true,
  draw(drawing, field) {
    const { model, found, widget } = drawing
    const label = field.options.find(({ value }) => value === field.value)?.label
    const shown = label === undefined ? shownText(model.reading, found.node.object, field.value) : { text: label }
    putAppearance(model.change, widget, textAppearance(drawing, shown))
  },
})
