// A place in the later revision, with its value there and in the earlier revision.

import type { StrictValue } from '../../../strict-reader/values.js'
import { dictionaryOf, nameOf, ofKind } from '../../../strict-reader/values-of.js'

export interface Place {
  /** Number of the indirect object that contains the place; 0 = the trailer. */
  readonly holder: number
  /** Path from that object: keys and indices joined by `/`; empty for the object itself. */
  readonly path: string
}

export interface Slot {
  readonly before: StrictValue | undefined
  readonly after: StrictValue | undefined
  readonly place: Place
}

export const below = ({ holder, path }: Place, step: string | number): Place => ({
  holder,
  path: path === '' ? String(step) : `${path}/${step}`,
})

/** Returns the slot of an entry of a dictionary, or of the dictionary of a stream. */
export const entrySlot = (slot: Slot, key: string): Slot => ({
  before: entryOf(slot.before, key),
  after: slot.after === slot.before ? entryOf(slot.before, key) : entryOf(slot.after, key),
  place: below(slot.place, key),
})

/** Returns the value of an entry; undefined if there is none, or null. */
export const entryOf = (value: StrictValue | undefined, key: string): StrictValue | undefined =>
  dictionaryOf(value)?.entries.get(key) ?? undefined

export const itemsOf = (value: StrictValue | undefined): readonly StrictValue[] => ofKind(value, 'array')?.items ?? []

/** Returns the keys of both sides, in the order of the later one. */
export const keysOf = (slot: Slot): readonly string[] => [
  ...new Set([
    ...(dictionaryOf(slot.after)?.entries.keys() ?? []),
    ...(dictionaryOf(slot.before)?.entries.keys() ?? []),
  ]),
]

export const referenceKey = (value: StrictValue | undefined): string | undefined => {
  const reference = ofKind(value, 'reference')
  return reference && `${reference.number} ${reference.generation}`
}

/** True if a node of the page tree has further nodes below it. */
export function isInnerNode(node: StrictValue | undefined): boolean {
  const type = nameOf(entryOf(node, 'Type'))
  return type === 'Pages' || (type !== 'Page' && entryOf(node, 'Kids') !== undefined)
}
