// Acts that fill forms.

import type { Op } from '../layer.js'
import { showing, touching, valued } from '../state.js'
import { type FieldFacts, widgetsOf } from '../subject.js'
import type { Act } from './act.js'
import { fieldNow, hasWidgets, isWide, onField, placesOf } from './fields.js'

type TextOp = (field: FieldFacts, value: string) => Op

const fillTextBy = (type: string, opOf: TextOp): Act =>
  onField(
    type,
    'text',
    ({ family, readOnly }) => family === 'text' && !readOnly,
    (field, scene) => {
      const value = (field.actions === undefined ? 'Zulu7' : '5').slice(0, field.maxLength ?? 9)
      const [widget] = widgetsOf(scene.subject, field)
      const isSeen = isWide(scene, field) && value === 'Zulu7' && !field.password && !field.comb
      return {
        op: opOf(field, value),
        after: (state) => {
          const filled = field.actions === undefined ? valued(state, field.name, value) : state
          if (widget === undefined) return filled
          const place = { number: widget.ref.page.objectNumber, box: widget.rect }
          return showing(
            filled,
            isSeen ? { ...place, word: value } : field.password ? { ...place, lacks: value } : place,
          )
        },
        denied: (now) => {
          const found = fieldNow(now, field)?.value
          return found === value || field.actions !== undefined ? undefined : `its value is ${found}`
        },
      }
    },
  )

const fillText = fillTextBy('forms.setValue', ({ ref }, value) => ({
  type: 'forms.setValue',
  field: ref,
  value: { value },
}))

const importText = fillTextBy('forms.importValues', ({ name }, value) => ({
  type: 'forms.importValues',
  values: { [name]: value },
}))

const check = onField(
  'forms.setValue',
  'checkbox',
  ({ family, readOnly }) => family === 'checkbox' && !readOnly,
  (field) => ({
    op: { type: 'forms.setValue', field: field.ref, value: { checked: !field.checked } },
    denied: (now) => (fieldNow(now, field)?.checked === !field.checked ? undefined : 'it is not so'),
  }),
)

const choose = (place: 0 | 1): Act =>
  onField(
    'forms.setValue',
    `radio ${place + 1}`,
    ({ family, readOnly, widgets }) => family === 'radio' && !readOnly && widgets[place]?.exportValue !== undefined,
    (field) => {
      const value = field.widgets[place]?.exportValue ?? ''
      return {
        op: { type: 'forms.setValue', field: field.ref, value: { value } },
        denied: (now) => {
          const found = fieldNow(now, field)
          const on = found?.widgets.filter((widget) => Object(widget).checked === true) ?? []
          if (found?.value !== value) return `its value is ${found?.value}`
          const isSingle = new Set(field.widgets.map(({ exportValue }) => exportValue)).size === field.widgets.length
          return isSingle && on.length !== 1 ? `${on.length} buttons are on` : undefined
        },
      }
    },
  )

const select = (family: 'combobox' | 'listbox'): Act =>
  onField(
    'forms.setValue',
    family,
    (field) => field.family === family && !field.readOnly && (field.options?.length ?? 0) > 0,
    (field, scene) => {
      const last = field.options?.at(-1)?.value ?? ''
      return {
        op: {
          type: 'forms.setValue',
          field: field.ref,
          value: family === 'combobox' ? { value: last } : { selectedValues: [last] },
        },
        after: (state) => {
          const [widget] = widgetsOf(scene.subject, field)
          const word = field.options?.at(-1)?.label.split(/\s/)[0]
          if (widget === undefined || !word || !isWide(scene, field)) return state
          return showing(state, { number: widget.ref.page.objectNumber, box: widget.rect, word })
        },
        denied: (now) =>
          fieldNow(now, field)?.options?.at(-1)?.selected === true ? undefined : 'the last option is not selected',
      }
    },
  )

const reset: Act = {
  type: 'forms.reset',
  name: 'forms.reset',
  isUndoable: true,
  plan: (scene) => {
    const { subject } = scene
    if (subject.fields.length === 0) return undefined
    const all = placesOf(subject.annotations.filter(({ subtype }) => subtype === 'widget'))
    return {
      op: { type: 'forms.reset' },
      pages: [...all.keys()].slice(0, 2),
      after: (state) => touching(state, all),
      denied: (now) => (now.fields.length === subject.fields.length ? undefined : 'fields are gone'),
    }
  },
}

const appearanceText = onField(
  'forms.setAppearanceText',
  '',
  (field) => field.family === 'text' && hasWidgets(field),
  (field, scene) => {
    const [widget] = widgetsOf(scene.subject, field)
    const isSeen = isWide(scene, field) && !field.password && !field.comb && !scene.subject.needsAppearances
    return {
      op: { type: 'forms.setAppearanceText', field: field.ref, text: 'Yankee3' },
      after: (state) =>
        widget && isSeen
          ? showing(state, { number: widget.ref.page.objectNumber, box: widget.rect, word: 'Yankee3' })
          : state,
    }
  },
)

export const formValueActs: readonly Act[] = [
  fillText,
  importText,
  check,
  choose(0),
  choose(1),
  select('combobox'),
  select('listbox'),
  reset,
  appearanceText,
]
