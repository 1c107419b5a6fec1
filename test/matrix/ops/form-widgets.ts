// Acts on widgets, and on the order of fields and widgets.
import { grown } from '../boxes.js'
import { countingAnnotations, drawingOver, touching } from '../state.js'
import { type AnnotationFacts, annotationsOn, type FieldFacts, sameRef, widgetsOf } from '../subject.js'
import type { Act } from './act.js'
import { freeBox } from './annotations.js'
import { changedPlaces, fieldNow, hasWidgets, onField, placesOf, without } from './fields.js'

const hasOffWidget = (widgets: FieldFacts['widgets']): boolean => widgets.some((one) => Object(one).checked !== true)
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

/** Removes an unselected button of a group: the selection stays. */
const takeButton = onField(
  'forms.deleteWidget',
  'not chosen',
  ({ family, widgets }) => family === 'radio' && widgets.length > 1 && hasOffWidget(widgets),
  (field, scene) => {
    const widget = field.widgets.find((one) => Object(one).checked !== true)
    const facts = widgetsOf(scene.subject, field).find(({ ref }) => sameRef(ref, widget?.ref))
    return {
      op: { type: 'forms.deleteWidget', widget: widget?.ref },
      after: (state) => without(state, facts ? [facts] : []),
      denied: (now) => {
        const found = fieldNow(now, field)
        if (found?.value !== field.value) return `the value became ${found?.value}`
        const left = field.widgets.filter((one) => one !== widget).map(({ exportValue }) => exportValue)
        const names = found?.widgets.map(({ exportValue }) => exportValue)
        return JSON.stringify(names) === JSON.stringify(left) ? undefined : `the buttons became ${names}`
      },
    }
  },
)

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

export const formWidgetActs: readonly Act[] = [
  addWidget,
  takeAway('forms.removeWidget'),
  takeAway('forms.deleteWidget'),
  takeButton,
  updateWidget('text'),
  updateWidget('checkbox'),
  updateWidget('radio'),
  updateWidget('signature'),
  reorderWidgets,
  reorderCalculations,
]
