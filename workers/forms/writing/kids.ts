// Removes widgets from the kids of their field and restores them, without changing the values of the other buttons of
// the group.
import type { PDFObject } from 'mupdf'
import type { Change } from '../../change/change.js'
import { entry, integerOf, objectNumberOf } from '../../objects/values.js'
import {
  type ButtonGroup,
  buttonGroupOf,
  type RegroupResult,
  regroup,
  type ValueKey,
} from '../reading/button-options.js'
import { kidsOf, putBackIn, removeContent } from './form-lists.js'
import { FormModel } from './form-model.js'

export interface TakenKid {
  /** Value of the button, if the field lists it. */
  readonly option: string | null
  /** Entries of the field that named the button's on state. */
  readonly values: readonly ValueKey[]
}

/** Removes a kid; undefined if the field does not list the widget. The field must be tracked already. */
export function takeKid(change: Change, field: PDFObject, number: number): TakenKid | undefined {
  const group = buttonGroupOf(field)
  const ids = group && idsOf(change, field, group)
  if (!removeContent(change, kidsOf(field), number)) return undefined
  if (group === undefined || ids === undefined) return { option: null, values: [] }
  const { unnamed } = declared(change, regroup(field, group, { touch: change.touch.bind(change), idOf: ids }))
  return { option: group.buttons.find((button) => button.number === number)?.option ?? null, values: unnamed }
}

/** Returns false if the field lists the widget already. */
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

/** Runs `edit`, which removes kids, and renames the states of the remaining buttons as needed. */
export function withGroup(change: Change, field: PDFObject, edit: () => void): void {
  const group = buttonGroupOf(field)
  const ids = group && idsOf(change, field, group)
  edit()
  if (group !== undefined && ids !== undefined)
    declared(change, regroup(field, group, { touch: change.touch.bind(change), idOf: ids }))
}

/**
 * Returns an id per button: buttons that share an on state (radios in unison) have the same one, including removed
 * buttons that may be restored. The assignment is stored in the layer.
 */
function idsOf(change: Change, field: PDFObject, { buttons, isCounted }: ButtonGroup): (kid: number) => number {
  const about = `states ${objectNumberOf(field) ?? 0}`
  const note = change.undoData.of(about)
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
    const written = note === undefined ? change.undoData.put(about, change.pdf.newDictionary()) : change.touch(note)
    for (const { number, state } of fresh) {
      const one = first.get(state ?? '') ?? number
      const id = known.get(one) ?? one
      known.set(number, id)
      written.put(String(number), id)
    }
  }
  return (kid) => known.get(kid) ?? kid
}

/** Declares the affected pages: page listings contain state names. */
function declared(change: Change, regrouped: RegroupResult): RegroupResult {
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
