// Takes annotations off their page with everything that hangs on them, and brings them back.
import type { PDFObject } from 'mupdf'
import { ownKeys } from '../../pdf/annotations/own-keys.js'
import type { AnnotationEntry } from '../../pdf/annotations/page-annotations.js'
import { booleanOf, entry, isDictionary, nameOf, objectNumberOf } from '../../pdf/values.js'
import type { AnnotatedPage } from './annotated-page.js'
import { Appearance } from './appearance.js'
import { pictureOf } from './draw-annotation.js'

/** One that was taken off. */
export interface Removed {
  readonly number: number
  /** What lay under it and what lay over it, nearest first: it goes back between the first of each that are still there. */
  readonly below: readonly number[]
  readonly above: readonly number[]
}

/** Neighbours that are remembered, on either side. */
const neighboursMax = 16

/** The annotation first, then its replies, the members of its group, and the popups of them all, as they are stacked. */
export function withDependants({ siblings }: AnnotatedPage, found: AnnotationEntry): readonly AnnotationEntry[] {
  const own = numberOf(found.object)
  const taken = new Set([own])
  // A set goes on to what is added while it is walked.
  for (const number of taken) for (const hanging of siblings.hangingOn(number)) taken.add(hanging)
  const popup = siblings.popupOf(found.ref)
  if (popup !== null) taken.add(numberOf(siblings.entryOf(popup)?.object ?? found.object))
  taken.delete(own)
  const others = [...taken].map((number) => ({ number, place: siblings.order.indexOf(number) }))
  const stacked = others.toSorted((one, other) => one.place - other.place)
  return [found, ...stacked.flatMap(({ number }) => siblings.numbered(number) ?? [])]
}

/** Answers what brings them back, in stacking order. */
export function removeAll(page: AnnotatedPage, all: readonly AnnotationEntry[]): readonly Removed[] {
  const { change } = page
  const numbers = new Set(all.map(({ object }) => numberOf(object)))
  const { order } = page
  const removed = order.flatMap((number, place) =>
    numbers.has(number) ? [{ number, ...neighboursOf(order, place) }] : [],
  )
  for (const { object } of all) {
    const parent = entry(object, 'Parent')
    const isPopup = nameOf(entry(object, 'Subtype')) === 'Popup' && objectNumberOf(parent) !== undefined
    // Whoever stays must not go on to name a window that is not there.
    if (!isPopup || numbers.has(numberOf(parent)) || !isDictionary(parent)) continue
    change.touch(parent).delete('Popup')
    page.changed(parent)
  }
  const hidden = all.flatMap(({ object }) => belongings(page, object))
  page.remove(numbers)
  change.hide(...hidden)
  return removed
}

const neighboursOf = (order: readonly number[], place: number) => ({
  below: order.slice(Math.max(0, place - neighboursMax), place).reverse(),
  above: order.slice(place + 1, place + 1 + neighboursMax),
})

/**
 * Between its old neighbours. What else is there now came later, or was taken off before and brought back first: nobody
 * knows on which side that belongs, and the one that was made earlier has the lower number.
 */
function placeIn(order: readonly number[], { number, below, above }: Removed): number {
  const under = below.find((candidate) => candidate > 0 && order.includes(candidate))
  const over = above.find((candidate) => candidate > 0 && order.includes(candidate))
  const lowest = under === undefined ? 0 : order.indexOf(under) + 1
  const highest = over === undefined ? order.length : order.indexOf(over)
  const later = order.slice(lowest, highest).findIndex((other) => other > number)
  return later === -1 ? Math.max(lowest, highest) : lowest + later
}

/** Those that can be: a popup needs its annotation. What they answered is forgotten where it is gone. */
export function restoreAll(page: AnnotatedPage, removed: readonly Removed[]): readonly AnnotationEntry[] {
  const { change } = page
  const waiting = new Map(removed.map((one) => [one.number, { object: change.pdf.newIndirect(one.number), one }]))
  const present = new Set(page.order)
  const restored: AnnotationEntry[] = []
  for (const [number, { object, one }] of waiting) {
    const parent = numberOf(entry(object, 'Parent'))
    const isOrphan = nameOf(entry(object, 'Subtype')) === 'Popup' && !present.has(parent) && !waiting.has(parent)
    if (!isDictionary(object.resolve()) || present.has(number) || isOrphan) continue
    const made = page.putBack(object, placeIn(page.order, one))
    change.show(...belongings(page, object))
    restored.push(made)
  }
  const now = new Set(page.order)
  for (const { object } of restored) reattach(page, object, now)
  const placeOf = ({ object }: AnnotationEntry): number => page.order.indexOf(numberOf(object))
  return restored.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function reattach(page: AnnotatedPage, object: PDFObject, present: ReadonlySet<number>): void {
  const { change } = page
  const answered = entry(object, 'IRT')
  if (!answered.isNull() && !present.has(numberOf(answered))) {
    change.touch(object)
    object.delete('IRT')
    object.delete('RT')
    page.changed(object)
  }
  const parent = entry(object, 'Parent')
  if (nameOf(entry(object, 'Subtype')) !== 'Popup' || !present.has(numberOf(parent))) return
  if (!entry(parent, 'Popup').isNull()) return
  change.touch(parent).put('Popup', object)
  page.changed(parent)
}

/** The annotation and what only it uses. */
function belongings(page: AnnotatedPage, object: PDFObject): readonly PDFObject[] {
  const appearance = new Appearance(page.change, object, page)
  const brought = [pictureOf(appearance), entry(object, 'FS')].filter((part) => part !== undefined).filter(isBrought)
  const streams = brought.map((part) => entry(part, 'EF', 'F'))
  return [object, ...appearance.objects(), ...brought, ...streams].filter((part) => objectNumberOf(part) !== undefined)
}

const isBrought = (part: PDFObject): boolean => booleanOf(entry(part, ownKeys.brought)) ?? false

export const numberOf = (object: PDFObject): number => objectNumberOf(object) ?? 0
