// Handles fields that one side split from their only widget to add a second one: the widget keeps its object, and the
// entries of the field move to a new object. The other sides are read as if they had done the same.
import { widgetEvents, widgetKeys } from '../forms/reading/widget-entries.js'
import type { Side } from './merge-values.js'
import type { ParsedObject } from './parse-body.js'
import { type Dictionary, isArray, isDictionary, numberIn, printed, type Reference, type Value } from './value.js'

export type ReadObject = (number: number) => ParsedObject | undefined

/** Numbers of fields by the numbers of the widgets that they were split from. */
export type Splits = ReadonlyMap<number, number>

/** Finds the fields that a side split. `numbers`: objects that the side changed. */
export function splitsOf(numbers: Iterable<number>, base: ReadObject, side: ReadObject): Splits {
  const splits = new Map<number, number>()
  for (const number of numbers) {
    const [before, after] = [base(number)?.value, side(number)?.value]
    if (!isDictionary(before) || !isDictionary(after)) continue
    const field = numberIn(after.get('/Parent'))
    const wasField = isSubtype(before, '/Widget') && before.has('/T') && !before.has('/Kids')
    if (field === undefined || !wasField || after.has('/T')) continue
    if (base(field) === undefined && side(field) !== undefined) splits.set(number, field)
  }
  return splits
}

/** A field that both sides split from its only widget, which they removed then: the numbers of its objects. */
export interface DetachedField {
  readonly widget: number
  readonly theirs: number
  readonly ours: number
}

/** Finds them by their names: a version may keep the removed object, to which nothing refers. */
export function detachedFields(
  numbers: Readonly<Record<'theirs' | 'ours', Iterable<number>>>,
  read: Readonly<Record<Side, ReadObject>>,
): readonly DetachedField[] {
  const created = { theirs: new Map<string, number>(), ours: new Map<string, number>() }
  for (const side of ['theirs', 'ours'] as const) {
    for (const number of numbers[side]) {
      const name = read.base(number) === undefined && nameIn(read[side](number)?.value)
      if (name) created[side].set(name, number)
    }
  }
  return [...numbers.ours].flatMap((widget) => {
    const before = read.base(widget)?.value
    const name = read.ours(widget) === undefined && isSubtype(before, '/Widget') && nameIn(before)
    const [theirs, ours] = name ? [created.theirs.get(name), created.ours.get(name)] : []
    return theirs === undefined || ours === undefined ? [] : [{ widget, theirs, ours }]
  })
}

/** Returns the name of a field without kids, together with the number of its parent. */
function nameIn(field: Value | undefined): string | undefined {
  if (!isDictionary(field)) return undefined
  const name = field.get('/T')
  const kids = field.get('/Kids')
  if (name === undefined || (kids !== undefined && !(isArray(kids) && kids.length === 0))) return undefined
  return `${printed(field.get('/Parent') ?? 'null')} ${printed(name)}`
}

/** Reads a side that has not split these fields as if it had. `split`: the side that has. */
export function withSplits(read: ReadObject, splits: Splits, split: ReadObject): ReadObject {
  if (splits.size === 0) return read
  const widgets = new Map([...splits].map(([widget, field]) => [field, widget]))
  return (number) => {
    const widget = widgets.get(number)
    if (widget !== undefined) return dictionaryOf(read(widget), (entries) => fieldPart(entries, widget))
    const field = splits.get(number)
    const found = read(number)
    if (field !== undefined) return dictionaryOf(found, (entries) => widgetPart(entries, field))
    if (found === undefined || !isArray(found.value))
      return found && { ...found, value: withLists(found.value, splits) }
    // An array object may also be the list of a page's annotations, which still contains the widget.
    const listed = split(number)?.value
    const isOfFields = isArray(listed) && listed.some((item) => widgets.has(numberIn(item) ?? 0))
    return isOfFields ? { ...found, value: replaced(found.value, splits) } : found
  }
}

function dictionaryOf(
  object: ParsedObject | undefined,
  part: (entries: Dictionary) => Dictionary,
): ParsedObject | undefined {
  return object && { ...object, value: isDictionary(object.value) ? part(object.value) : object.value }
}

const isSubtype = (value: Value | undefined, name: string): boolean =>
  isDictionary(value) && value.get('/Subtype') === name

const isOfWidget = (key: string): boolean => widgetKeys.has(key.slice(1))

function fieldPart(entries: Dictionary, widget: number): Dictionary {
  const own = [...entries].filter(([key]) => !isOfWidget(key) && key !== '/AA')
  const events = eventsIn(entries, (event) => !widgetEvents.has(event))
  return new Map<string, Value>([...own, ...events, ['/Kids', [reference(widget)]]])
}

function widgetPart(entries: Dictionary, field: number): Dictionary {
  const own = [...entries].filter(([key]) => isOfWidget(key) && key !== '/AA')
  const events = eventsIn(entries, (event) => widgetEvents.has(event))
  return new Map<string, Value>([...own, ...events, ['/Parent', reference(field)]])
}

function eventsIn(entries: Dictionary, isMeant: (event: string) => boolean): readonly (readonly [string, Value])[] {
  const actions = entries.get('/AA')
  if (!isDictionary(actions)) return []
  const meant = [...actions].filter(([event]) => isMeant(event.slice(1)))
  return meant.length === 0 ? [] : [['/AA', new Map(meant)]]
}

const reference = (number: number): Reference => ({ number, generation: 0 })

const lists: ReadonlySet<string> = new Set(['/Kids', '/Fields', '/CO'])

/** Replaces widgets by fields in lists of fields; the form may be inline in the catalog. */
function withLists(value: Value, splits: Splits): Value {
  if (!isDictionary(value)) return value
  return new Map(
    [...value].map(([key, entry]) => {
      if (lists.has(key) && isArray(entry)) return [key, replaced(entry, splits)]
      return [key, key === '/AcroForm' ? withLists(entry, splits) : entry]
    }),
  )
}

const replaced = (list: readonly Value[], splits: Splits): readonly Value[] =>
  list.map((item) => {
    const field = splits.get(numberIn(item) ?? 0)
    return field === undefined ? item : reference(field)
  })
