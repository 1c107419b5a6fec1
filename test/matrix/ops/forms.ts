// Acts on forms: values, fields, and the places where they show.
import { onePage } from '../../support/pdf/raw-pdf.js'
import { type Box, grown } from '../boxes.js'
import {
  countingAnnotations,
  type DocumentState,
  drawingOver,
  showing,
  type Touched,
  touching,
  valued,
} from '../state.js'
import {
  type AnnotationFacts,
  annotationsOn,
  type FieldFacts,
  type Ref,
  type Subject,
  sameRef,
  widgetsOf,
} from '../subject.js'
import type { Act, Item, Plan, Scene } from './act.js'
import { freeBox } from './annotations.js'

/** Places of the widgets of all fields that a write says it changed, and of one more. */
function changedPlaces(scene: Scene, now: Subject, item: Item, field?: FieldFacts): Touched {
  const named: readonly Ref[] = Object(item['meta']).changedFields ?? []
  const isChanged = (one: FieldFacts): boolean =>
    sameRef(one.ref, field?.ref) || named.some((ref) => sameRef(ref, one.ref)) || scene.subject.needsAppearances
  const widgets = [scene.subject, now].flatMap((subject) =>
    subject.fields.filter(isChanged).flatMap((one) => widgetsOf(subject, one)),
  )
  return placesOf(widgets)
}

function placesOf(widgets: readonly AnnotationFacts[]): Touched {
  const places = new Map<number, Box[]>()
  for (const { ref, rect } of widgets) {
    const number = ref.page.objectNumber
    places.set(number, [...(places.get(number) ?? []), grown(rect)])
  }
  return places
}

type Make = (field: FieldFacts, scene: Scene) => Partial<Plan> & Pick<Plan, 'op'>

function onField(type: string, name: string, which: (field: FieldFacts) => boolean, make: Make): Act {
  return {
    type,
    name: `${type} ${name}`.trim(),
    isUndoable: true,
    plan: (scene) => {
      const field = scene.subject.fields.find(
        (field) => which(field) && field.widgets.every(({ page }) => page !== null),
      )
      if (field === undefined) return undefined
      const { after = (state: DocumentState) => state, ...made } = make(field, scene)
      return {
        pages: [...new Set(widgetsOf(scene.subject, field).map(({ ref }) => ref.page.objectNumber))].slice(0, 2),
        ...made,
        after: (state, item, now) => after(touching(state, changedPlaces(scene, now, item, field)), item, now),
      }
    },
  }
}

const fieldNow = ({ fields }: Subject, { ref, name }: FieldFacts) =>
  fields.find((field) => sameRef(field.ref, ref)) ?? fields.find((field) => field.name === name)

const isWide = (scene: Scene, field: FieldFacts): boolean => {
  const widgets = widgetsOf(scene.subject, field)
  return widgets.some(({ rect, hidden, noView }) => rect.width >= 60 && rect.height >= 9 && !hidden && !noView)
}

const fillText = onField(
  'forms.setValue',
  'text',
  ({ family, readOnly }) => family === 'text' && !readOnly,
  (field, scene) => {
    const value = (field.actions === undefined ? 'Zulu7' : '5').slice(0, field.maxLength ?? 9)
    const [widget] = widgetsOf(scene.subject, field)
    const isSeen = isWide(scene, field) && value === 'Zulu7' && !field.password && !field.comb
    return {
      op: { type: 'forms.setValue', field: field.ref, value: { value } },
      after: (state) => {
        const filled = field.actions === undefined ? valued(state, field.name, value) : state
        if (widget === undefined) return filled
        const place = { number: widget.ref.page.objectNumber, box: widget.rect }
        return showing(filled, isSeen ? { ...place, word: value } : field.password ? { ...place, lacks: value } : place)
      },
      denied: (now) => {
        const found = fieldNow(now, field)?.value
        return found === value || field.actions !== undefined ? undefined : `its value is ${found}`
      },
    }
  },
)

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
    (field) => {
      const last = field.options?.at(-1)?.value ?? ''
      return {
        op: {
          type: 'forms.setValue',
          field: field.ref,
          value: family === 'combobox' ? { value: last } : { selectedValues: [last] },
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

const create = (family: string, more: object, color?: readonly [number, number, number]): Act => ({
  type: 'forms.create',
  name: `forms.create ${family}`,
  isUndoable: true,
  plan: ({ subject }) => {
    const [page] = subject.pages
    if (page === undefined) return undefined
    const number = page.ref.objectNumber
    const box = freeBox(page)
    const widgets = [{ page: page.ref, rect: box, interiorColor: '#00ff00', ...more }]
    return {
      op: { type: 'forms.create', draft: { family, name: 'matrix.made', widgets } },
      pages: [number],
      after: (state) => {
        const drawn = countingAnnotations(drawingOver(state, number, [grown(box)]), number, 1)
        return showing(valued(drawn, 'matrix.made', null), { number, box, ...(color && { color }) })
      },
      denied: ({ fields }) => (fields.some(({ name }) => name === 'matrix.made') ? undefined : 'it is not listed'),
    }
  },
})

const any = (): boolean => true
const hasWidgets = ({ widgets }: FieldFacts): boolean => widgets.some(({ ref }) => ref !== null)

const update = onField('forms.update', 'flags', any, (field) => ({
  op: { type: 'forms.update', field: field.ref, patch: { required: true, alternateName: 'Änderung' } },
  denied: (now) => (Object(fieldNow(now, field))['required'] === true ? undefined : 'it is not required'),
}))

const rename = onField('forms.update', 'name', any, (field) => ({
  op: { type: 'forms.update', field: field.ref, patch: { name: 'renamed.field' } },
  after: (state) => valued(valued(state, 'renamed.field', null), field.name, undefined),
  denied: ({ fields }) => (fields.some(({ name }) => name === 'renamed.field') ? undefined : 'the name is not listed'),
}))

/** Widgets of a field that goes leave their pages, and what they showed is not to be seen. */
const without = (state: DocumentState, widgets: readonly AnnotationFacts[]): DocumentState =>
  widgets.reduce<DocumentState>((state, { ref }) => countingAnnotations(state, ref.page.objectNumber, -1), {
    ...state,
    shows: [],
  })

const remove = onField('forms.delete', '', any, (field, scene) => ({
  op: { type: 'forms.delete', field: field.ref },
  after: (state) => without(valued(state, field.name, undefined), widgetsOf(scene.subject, field)),
  denied: ({ fields }) => (fields.some(({ name }) => name === field.name) ? 'it is still listed' : undefined),
}))

const addWidget: Act = {
  type: 'forms.addWidget',
  name: 'forms.addWidget',
  isUndoable: true,
  plan: (scene) => {
    const field = scene.subject.fields.find(({ family }) => family === 'text')
    const page = scene.subject.pages.at(-1)
    if (field === undefined || page === undefined) return undefined
    const number = page.ref.objectNumber
    const box = freeBox(page)
    return {
      op: {
        type: 'forms.addWidget',
        field: field.ref,
        placement: { page: page.ref, rect: box, interiorColor: '#00ff00' },
      },
      pages: [number],
      after: (state, item, now) => {
        const touched = touching(state, changedPlaces(scene, now, item, field))
        return countingAnnotations(drawingOver(touched, number, [grown(box)]), number, 1)
      },
      denied: (now) =>
        (fieldNow(now, field)?.widgets.length ?? 0) === field.widgets.length + 1 ? undefined : 'it is not listed',
    }
  },
}

const takeAway = (type: 'forms.removeWidget' | 'forms.deleteWidget'): Act =>
  onField(type, '', hasWidgets, (field, scene) => {
    const [widget] = widgetsOf(scene.subject, field)
    const ref = widget?.ref
    return {
      op: type === 'forms.removeWidget' ? { type, field: field.ref, widget: ref } : { type, widget: ref },
      after: (state) => without(state, widget ? [widget] : []),
      denied: (now) => (now.annotations.some((one) => sameRef(one.ref, ref)) ? 'it is still listed' : undefined),
    }
  })

const updateWidget = (family: string): Act =>
  onField(
    'forms.updateWidget',
    family,
    (field) => field.family === family && hasWidgets(field),
    (field, scene) => {
      const [widget] = widgetsOf(scene.subject, field)
      return {
        op: { type: 'forms.updateWidget', widget: widget?.ref, patch: { interiorColor: '#00ffff', color: '#ff0000' } },
        denied: (now) => {
          const found = now.annotations.find((one) => sameRef(one.ref, widget?.ref))
          return Object(found)['interiorColor'] === '#00ffff' ? undefined : 'its background is another'
        },
      }
    },
  )

const reorderWidgets: Act = {
  type: 'forms.reorderWidgets',
  name: 'forms.reorderWidgets',
  isUndoable: true,
  plan: ({ subject }) => {
    const isWidget = ({ subtype }: AnnotationFacts): boolean => subtype === 'widget'
    const page = subject.pages.find((page) => annotationsOn(subject, page).filter(isWidget).length > 1)
    const widgets = page && annotationsOn(subject, page).filter(isWidget)
    const last = widgets?.at(-1)
    if (page === undefined || widgets === undefined || last === undefined) return undefined
    return {
      op: { type: 'forms.reorderWidgets', page: page.ref, widgets: [last.ref], position: 'start' },
      pages: [page.ref.objectNumber],
      after: (state) => touching(state, placesOf(annotationsOn(subject, page))),
      denied: (now) =>
        sameRef(annotationsOn(now, page).find(isWidget)?.ref, last.ref) ? undefined : 'it is not the first widget',
    }
  },
}

const reorderCalculations: Act = {
  type: 'forms.reorderCalculations',
  name: 'forms.reorderCalculations',
  isUndoable: true,
  plan: ({ subject }) => {
    const last = subject.calculationOrder.at(-1)
    if (!last) return undefined
    return {
      op: { type: 'forms.reorderCalculations', fields: [last], position: 'start' },
      pages: [],
      after: (state) => state,
      denied: ({ calculationOrder }) => (sameRef(calculationOrder[0], last) ? undefined : 'it is not the first one'),
    }
  },
}

const display = onField('forms.setDisplay', '', hasWidgets, (field, scene) => ({
  op: { type: 'forms.setDisplay', field: field.ref, display: 'hidden' },
  denied: (now) => {
    const [widget] = widgetsOf(scene.subject, field)
    const found = now.annotations.find((one) => sameRef(one.ref, widget?.ref))
    return found?.hidden === true ? undefined : 'it is not hidden'
  },
}))

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

const signatureAppearance = onField(
  'forms.setSignatureAppearance',
  '',
  (field) => field.family === 'signature' && hasWidgets(field),
  (field) => ({
    op: { type: 'forms.setSignatureAppearance', field: field.ref, appearance: { pdf: 'drawing' } },
    resources: { drawing: { bytes: onePage('0 0 1 rg 0 0 100 50 re f', { size: [100, 50] }) } },
  }),
)

export const formActs: readonly Act[] = [
  fillText,
  check,
  choose(0),
  choose(1),
  select('combobox'),
  select('listbox'),
  reset,
  create('text', {}, [0, 255, 0]),
  create('checkbox', { exportValue: 'On' }, [0, 255, 0]),
  create('signature', {}),
  update,
  rename,
  remove,
  addWidget,
  takeAway('forms.removeWidget'),
  takeAway('forms.deleteWidget'),
  updateWidget('text'),
  updateWidget('checkbox'),
  updateWidget('radio'),
  updateWidget('signature'),
  reorderWidgets,
  reorderCalculations,
  display,
  appearanceText,
  signatureAppearance,
]
