// Widgets among the kids of their field: taken off, and put back. What the other buttons of a group stand for stays.
import type { PDFObject } from 'mupdf'
import {
  type ButtonGroup,
  buttonGroupOf,
  type Regrouped,
  regroup,
  type ValueKey,
} from '../../pdf/forms/button-options.js'
import { entry, integerOf, objectNumberOf } from '../../pdf/values.js'
import type { Change } from '../change.js'
import { kidsOf, putBackIn, takeOut } from './form-lists.js'
import { FormModel } from './form-model.js'

export interface TakenKid {
  /** What it stands for, where the field lists that. */
  readonly option: string | null
  /** Entries of the field that named its on state. */
  readonly values: readonly ValueKey[]
}

/** Undefined = the field does not list it. The field is ready to be altered. */
export function takeKid(change: Change, field: PDFObject, number: number): TakenKid | undefined {
  const group = buttonGroupOf(field)
  const ids = group && idsOf(change, field, group)
  if (!takeOut(change, kidsOf(field), number)) return undefined
  if (group === undefined || ids === undefined) return { option: null, values: [] }
  const { unnamed } = declared(change, regroup(field, group, { touch: change.touch.bind(change), idOf: ids }))
  return { option: group.buttons.find((button) => button.number === number)?.option ?? null, values: unnamed }
}

/** False = the field lists it. */
export function putKid(change: Change, field: PDFObject, number: number, taken: TakenKid): boolean {
  const group = buttonGroupOf(field)
  const ids = group && idsOf(change, field, group)
  if (!putBackIn(change, kidsOf(field), number)) return false
  if (group === undefined || ids === undefined) return true
  declared(
    change,
    regroup(field, group, { touch: change.touch.bind(change), idOf: ids, joining: { number, ...taken } }),
  )
  return true
}

/** Kids leave by `edit`, whatever that is. */
export function withGroup(change: Change, field: PDFObject, edit: () => void): void {
  const group = buttonGroupOf(field)
  const ids = group && idsOf(change, field, group)
  edit()
  if (group !== undefined && ids !== undefined)
    declared(change, regroup(field, group, { touch: change.touch.bind(change), idOf: ids }))
}

/**
 * Buttons that share an on state (a group in unison) go on to share one, also those that are gone now and come back: which
 * they are is remembered with the layer.
 */
function idsOf(change: Change, field: PDFObject, { buttons, isCounted }: ButtonGroup): (kid: number) => number {
  const about = `states ${objectNumberOf(field) ?? 0}`
  const note = change.notes.of(about)
  const known = new Map<number, number>()
  if (note !== undefined) {
    note.forEach((id, kid) => {
      const number = integerOf(id)
      if (number !== undefined && /^\d+$/.test(String(kid))) known.set(Number(kid), number)
    })
  }
  const first = new Map<string, number>()
  for (const { number, state } of buttons) if (state !== undefined && !first.has(state)) first.set(state, number)
  const shared = buttons.filter(({ number, state }) => (first.get(state ?? '') ?? number) !== number)
  const fresh = shared.filter(({ number }) => !known.has(number))
  if (isCounted && fresh.length > 0) {
    const written = note === undefined ? change.notes.put(about, change.pdf.newDictionary()) : change.touch(note)
    for (const { number, state } of fresh) {
      const one = first.get(state ?? '') ?? number
      const id = known.get(one) ?? one
      known.set(number, id)
      written.put(String(number), id)
    }
  }
  return (kid) => known.get(kid) ?? kid
}

/** Names of states are in what is listed of a page. */
function declared(change: Change, regrouped: Regrouped): Regrouped {
  for (const widget of regrouped.renamed) {
    const page = pageOf(change, widget)
    if (page !== undefined) change.effects.page(page, 'widgets')
  }
  return regrouped
}

function pageOf(change: Change, widget: PDFObject): number | undefined {
  const named = objectNumberOf(entry(widget, 'P'))
  if (named !== undefined && change.document.hasPage(named)) return named
  return new FormModel(change).widgets.placeOf(widget).page?.objectNumber
}
