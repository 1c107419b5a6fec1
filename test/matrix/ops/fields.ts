// Helpers of form acts: field lookup, and the regions in which pages may look different.
import { type Box, grown } from '../boxes.js'
import { countingAnnotations, type DocumentState, type Touched, touching } from '../state.js'
import { type AnnotationFacts, type FieldFacts, type Ref, type Subject, sameRef, widgetsOf } from '../subject.js'
import type { Act, Item, Plan, Scene } from './act.js'

/** Returns regions of the widgets of all fields that a write reports as changed, and of one more field. */
export function changedPlaces(scene: Scene, now: Subject, item: Item, field?: FieldFacts): Touched {
  const named: readonly Ref[] = Object(item['meta']).changedFields ?? []
  const isChanged = (one: FieldFacts): boolean =>
    sameRef(one.ref, field?.ref) || named.some((ref) => sameRef(ref, one.ref)) || scene.subject.needsAppearances
  const widgets = [scene.subject, now].flatMap((subject) =>
    subject.fields.filter(isChanged).flatMap((one) => widgetsOf(subject, one)),
  )
  return placesOf(widgets)
}

export function placesOf(widgets: readonly AnnotationFacts[]): Touched {
  const places = new Map<number, Box[]>()
  for (const { ref, rect } of widgets) {
    const number = ref.page.objectNumber
    places.set(number, [...(places.get(number) ?? []), grown(rect)])
  }
  return places
}

type Make = (field: FieldFacts, scene: Scene) => Partial<Plan> & Pick<Plan, 'op'>

export function onField(type: string, name: string, which: (field: FieldFacts) => boolean, make: Make): Act {
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

export const fieldNow = ({ fields }: Subject, { ref, name }: FieldFacts) =>
  fields.find((field) => sameRef(field.ref, ref)) ?? fields.find((field) => field.name === name)

export const isWide = (scene: Scene, field: FieldFacts): boolean => {
  const widgets = widgetsOf(scene.subject, field)
  return widgets.some(({ rect, hidden, noView }) => rect.width >= 60 && rect.height >= 9 && !hidden && !noView)
}

export const hasWidgets = ({ widgets }: FieldFacts): boolean => widgets.some(({ ref }) => ref !== null)

/** Removes widgets of a deleted field from the expected state, with the text that had to be visible in them. */
export const without = (state: DocumentState, widgets: readonly AnnotationFacts[]): DocumentState =>
  widgets.reduce<DocumentState>((state, { ref }) => countingAnnotations(state, ref.page.objectNumber, -1), {
    ...state,
    shows: [],
  })
