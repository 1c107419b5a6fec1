// What each family of fields has beyond what all have.

import type { FieldFamily } from '../../contract/field-family.js'
import type { FieldBase, FormField } from '../../contract/form-field.js'
import type { Reading } from '../../document/reading.js'
import { flagsOf, type HasFlag } from '../../fields/field-kind.js'
import { inherited, type Lineage } from '../../fields/inheritance.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { integerOf, numbersOf } from '../../objects/values.js'
import { textIn, textsIn } from './field-values.js'
import { optionsOf } from './options.js'
import { type FieldWidget, togglesOf } from './toggles.js'

export interface FieldSource {
  readonly reading: Reading
  readonly lineage: Lineage
  readonly widgets: readonly FieldWidget[]
}

type ReadFamily = (base: FieldBase, source: FieldSource, hasFlag: HasFlag) => FormField

const readers: Readonly<Record<FieldFamily, ReadFamily>> = {
  text: (base, { lineage }, hasFlag) => ({
    ...base,
    family: 'text',
    value: textIn(base.valueEntry),
    defaultValue: textIn(base.defaultValueEntry),
    maxLength: maxLengthOf(lineage),
    multiline: hasFlag('multiline'),
    password: hasFlag('password'),
    comb: hasFlag('comb'),
  }),
  checkbox: (base, source) => {
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
  radio: (base, source, hasFlag) => {
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
  combobox: (base, { reading, lineage }, hasFlag) => {
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
  listbox: (base, { reading, lineage }, hasFlag) => {
    const options = optionsOf(reading, inherited(lineage, 'Opt'), textsIn(base.valueEntry))
    const isByPlace = base.valueEntry.kind === 'none'
    const places = isByPlace ? selectedPlaces(lineage) : new Set<number>()
    const marked = options.map((option, index) => ({ ...option, selected: option.selected || places.has(index) }))
    return {
      ...base,
      family: 'listbox',
      selectedValues: isByPlace
        ? marked.filter(({ selected }) => selected).map(({ value }) => value)
        : textsIn(base.valueEntry),
      defaultValue: textsIn(base.defaultValueEntry),
      multiSelect: hasFlag('multiSelect'),
      options: marked,
    }
  },
  pushbutton: (base) => ({ ...base, family: 'pushbutton' }),
  signature: (base) => ({ ...base, family: 'signature' }),
  unknown: (base) => ({ ...base, family: 'unknown', rawValue: textIn(base.valueEntry) }),
}

export function withFamily(family: FieldFamily, base: FieldBase, source: FieldSource): FormField {
  return readers[family](base, source, flagsOf(source.lineage))
}

function togglesIn({ reading, lineage, widgets }: FieldSource) {
  return togglesOf(reading, { widgets, value: inherited(lineage, 'V'), options: inherited(lineage, 'Opt') })
}

const isOn = (value: string): boolean => value !== '' && value !== 'Off'

function maxLengthOf(lineage: Lineage): number | null {
  const value = inherited(lineage, 'MaxLen')
  const length = value === undefined ? undefined : integerOf(value)
  return length !== undefined && length >= 1 ? length : null
}

/** /I: places of the chosen options, which some writers give without a value. */
function selectedPlaces(lineage: Lineage): ReadonlySet<number> {
  const places = inherited(lineage, 'I')
  return new Set(places === undefined ? [] : numbersOf(places, readingLimits.optionsMax))
}
