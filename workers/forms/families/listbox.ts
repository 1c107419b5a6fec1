// List boxes.
import { Listbox } from '../../contract/fields/listbox.js'
import type { FormField } from '../../contract/form-field.js'
import { inherited, type Lineage } from '../../fields/inheritance.js'
import { black } from '../../objects/colors.js'
import { readingLimits } from '../../objects/reading-limits.js'
import { entry, integerOf, numbersOf } from '../../objects/values.js'
import { drawList } from '../drawing/draw-list.js'
import { lookOf, withTextLayout } from '../drawing/text-look.js'
import { frameOf } from '../drawing/widget-frame.js'
import { familyWork } from '../family-work.js'
import { textsIn } from '../reading/field-values.js'
import { optionsOf } from '../reading/options.js'
import { plainOptions } from '../writing/patches.js'
import { putAppearance } from '../writing/put-appearance.js'
import type { StoredValue } from '../writing/stored-value.js'
import { noOption, resetText } from '../writing/text-values.js'
import { type FieldWrite, inheritsValue, refusal, storedDefault, writeEntries } from '../writing/write-entries.js'

type ListboxField = Extract<FormField, { readonly family: 'listbox' }>

export const work = familyWork(Listbox, {
  read(base, { reading, lineage }, hasFlag) {
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
  patchOf(field) {
    const { multiSelect, defaultValue, defaultValueEntry } = field
    const value = defaultValueEntry.kind === 'none' ? null : defaultValue
    return { multiSelect, options: plainOptions(field), defaultValue: value }
  },
  hasListDefault: true,
  value: {
    accepted: 'takes { selectedValues: string[] }',
    current: ({ selectedValues }) => ({ selectedValues }),
    write(writing, value) {
      if (!('selectedValues' in value)) return false
      writeSelected(writing, value.selectedValues)
      return true
    },
    reset(writing) {
      const value = storedDefault(writing)
      const chosen = new Set(value === null ? [] : 'texts' in value ? value.texts : 'text' in value ? [value.text] : [])
      resetText(
        writing,
        writing.field.options.flatMap((option, place) => (chosen.has(option.value) ? [place] : [])),
      )
    },
  },
  showsByText: true,
  draw(drawing, { options }) {
    const { model, found, widget } = drawing
    const frame = frameOf(widget)
    const look = lookOf(drawing)
    const top = integerOf(entry(found.node.object, 'TI')) ?? 0
    const appearance = withTextLayout(drawing, (textLayout) => ({
      frame,
      text: drawList({
        frame,
        textLayout,
        options,
        top: Math.max(0, top),
        color: look.fillColor ?? black,
        fontSize: look.fontSize ?? 0,
      }),
    }))
    putAppearance(model.change, widget, appearance)
  },
})

function writeSelected(writing: FieldWrite<ListboxField>, selected: readonly string[]): void {
  const { field } = writing
  const chosen = new Set(selected)
  const values = [...chosen]
  if (values.length > 1 && !field.multiSelect) throw refusal(field, 'takes one choice')
  const known = new Set(field.options.map(({ value }) => value))
  for (const value of values) if (!known.has(value)) throw noOption(field, value)
  const places = field.options.flatMap(({ value }, place) => (chosen.has(value) ? [place] : []))
  const [first] = values
  const none: StoredValue = inheritsValue(writing) ? { texts: [] } : null
  const one: StoredValue = first === undefined ? none : { text: first }
  writeEntries(writing, {
    V: values.length > 1 ? { texts: values } : one,
    I: places.length === 0 ? null : { numbers: places },
    RV: null,
  })
}

/** Reads the indexes of the selected options from /I, which some writers store without a value. */
function selectedPlaces(lineage: Lineage): ReadonlySet<number> {
  const places = inherited(lineage, 'I')
  return new Set(places === undefined ? [] : numbersOf(places, readingLimits.optionsMax))
}
