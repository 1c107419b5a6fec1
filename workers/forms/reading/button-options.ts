// Values of the buttons of a check box or radio group whose field lists them in /Opt (ISO 32000-2, 12.7.5.2.3 and
// 12.7.5.2.4). Some readers index the list by the button's position among the kids, others by the number that is the
// name of its on state; both work only as long as positions, names and list entries agree.
import type { PDFObject } from 'mupdf'
import { inheritedFrom } from '../../fields/inheritance.js'
import { inlineCopy } from '../../objects/inline-copy.js'
import { readingLimits } from '../../objects/reading-limits.js'
import {
  elementsOf,
  entry,
  isArray,
  isDictionary,
  isStream,
  isText,
  nameOf,
  objectNumberOf,
  textOf,
} from '../../objects/values.js'
import { stateIn } from './toggles.js'

interface Button {
  readonly number: number
  readonly option: string | undefined
  readonly state: string | undefined
}

export interface ButtonGroup {
  /** Buttons in the order of the kids. */
  readonly buttons: readonly Button[]
  /** True if the names of the on states are indices into the list. */
  readonly isCounted: boolean
}

/** Entries of a field that name the on state of a button. */
export type ValueKey = 'V' | 'DV'
const valueKeys: readonly ValueKey[] = ['V', 'DV']

/** Returns undefined if the field has no buttons or no list. */
export function buttonGroupOf(field: PDFObject): ButtonGroup | undefined {
  const options = inheritedFrom(field, 'Opt')
  const type = inheritedFrom(field, 'FT')
  if (options === undefined || !isArray(options) || type === undefined || nameOf(type) !== 'Btn') return undefined
  const texts = [...elementsOf(options, readingLimits.optionsMax)].map(textOf)
  const buttons = kidsOf(field).map((kid, place) => ({
    number: objectNumberOf(kid) ?? 0,
    option: texts[place],
    state: isDictionary(kid) ? stateIn(kid) : undefined,
  }))
  const isCounted = buttons.every(
    ({ number, state, option }) =>
      number > 0 &&
      (state === undefined || (/^\d+$/.test(state) && option !== undefined && texts[Number(state)] === option)),
  )
  return { buttons, isCounted }
}

export interface RegroupInput {
  /** Called before a kid is altered; the field itself is tracked already. */
  readonly touch: (kid: PDFObject) => void
  /** Returns an id per button; buttons with the same id share an on state. */
  readonly idOf: (kid: number) => number | string
  /** Restored button, with its value and the entries of the field that named it. */
  readonly joining?: { readonly number: number; readonly option: string | null; readonly values: readonly ValueKey[] }
}

export interface RegroupResult {
  /** Kids whose on state was renamed. */
  readonly renamed: readonly PDFObject[]
  /** Entries of the field that named a removed button. */
  readonly unnamed: readonly ValueKey[]
}

/**
 * Renames states after kids were added or removed, so that every button keeps its value and the field keeps its own.
 */
export function regroup(field: PDFObject, before: ButtonGroup, regrouping: RegroupInput): RegroupResult {
  const { joining } = regrouping
  const known = new Map(before.buttons.map((button) => [button.number, button]))
  const buttons = kidsOf(field).map((object) => {
    const number = objectNumberOf(object) ?? 0
    const state = isDictionary(object) ? stateIn(object) : undefined
    const option = number === joining?.number ? (joining.option ?? undefined) : known.get(number)?.option
    return { object, number, state, option }
  })
  writeOptions(
    field,
    buttons.map(({ option, state }) => option ?? state ?? ''),
  )
  if (!before.isCounted) return { renamed: [], unnamed: [] }
  return renumber(field, { before, buttons, regrouping })
}

/** Assigns options to widgets that were appended: each gets that of the button with the same index in `originals`. */
export function optionsInUnison(field: PDFObject, before: ButtonGroup, originals: readonly number[]): void {
  const known = new Map(before.buttons.map((button) => [button.number, button]))
  const buttons = [...before.buttons, ...originals.map((number) => known.get(number))]
  writeOptions(
    field,
    buttons.map((button) => button?.option ?? button?.state ?? ''),
  )
}

interface RenumberInput {
  readonly before: ButtonGroup
  readonly buttons: readonly (Button & { readonly object: PDFObject })[]
  readonly regrouping: RegroupInput
}

function renumber(field: PDFObject, { before, buttons, regrouping }: RenumberInput): RegroupResult {
  const { touch, idOf, joining } = regrouping
  const places = new Map<number | string, number>()
  for (const [place, { number }] of buttons.entries()) if (!places.has(idOf(number))) places.set(idOf(number), place)
  const renamed: PDFObject[] = []
  const names = new Map<string, string>()
  for (const { object, number, state } of buttons) {
    const name = String(places.get(idOf(number)))
    if (state === undefined) continue
    if (number !== joining?.number) names.set(state, name)
    if (state === name) continue
    touch(object)
    renameState(object, state, name)
    renamed.push(object)
  }
  const former = new Set(before.buttons.map(({ state }) => state))
  const unnamed = valueKeys.filter((key) => {
    const value = inheritedFrom(field, key)
    const state = value && (nameOf(value) ?? textOf(value))
    if (value === undefined || state === undefined || !former.has(state)) return false
    const name = names.get(state)
    if (name !== state) putState(field, key, name ?? 'Off', isText(value))
    return name === undefined
  })
  if (joining !== undefined) nameAgain(field, String(places.get(idOf(joining.number))), joining.values)
  return { renamed, unnamed }
}

/** Selects the restored button again if it was selected before and no other has been since. */
function nameAgain(field: PDFObject, state: string, keys: readonly ValueKey[]): void {
  for (const key of keys) {
    const value = inheritedFrom(field, key)
    if (value === undefined || nameOf(value) === 'Off') putState(field, key, state, false)
  }
}

function putState(field: PDFObject, key: ValueKey, state: string, isWritten: boolean): void {
  field.put(key, isWritten ? field._doc.newString(state) : field._doc.newName(state))
}

function writeOptions(field: PDFObject, options: readonly string[]): void {
  const now = inheritedFrom(field, 'Opt')
  const texts = now === undefined ? [] : [...elementsOf(now, readingLimits.optionsMax)].map(textOf)
  if (texts.length === options.length && texts.every((text, place) => text === options[place])) return
  const array = field._doc.newArray()
  for (const option of options) array.push(field._doc.newString(option))
  field.put('Opt', array)
}

/** Renames a state. Appearance dictionaries may be shared with other widgets, so the widget gets its own copy. */
function renameState(widget: PDFObject, from: string, to: string): void {
  const appearances = entry(widget, 'AP')
  if (isDictionary(appearances)) {
    const own = widget._doc.newDictionary()
    appearances.forEach((value, key) => {
      own.put(key, isDictionary(value) && !isStream(value) ? withState(value, from, to) : value)
    })
    widget.put('AP', own)
  }
  if (nameOf(entry(widget, 'AS')) === from) widget.put('AS', widget._doc.newName(to))
}

function withState(states: PDFObject, from: string, to: string): PDFObject {
  const own = states._doc.newDictionary()
  states.forEach((value, key) => {
    own.put(key === from ? to : key, inlineCopy(value))
  })
  return own
}

const kidsOf = (field: PDFObject): readonly PDFObject[] => [
  ...elementsOf(entry(field, 'Kids'), readingLimits.fieldNodesMax),
]
