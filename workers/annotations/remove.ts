// Removes annotations from their page with everything that belongs to them, and restores them.

import type { PDFObject } from 'mupdf'
import { placesOn } from '../change/list-places.js'
import { ownKeys } from '../objects/own-keys.js'
import { booleanOf, entry, isDictionary, nameOf, objectNumberOf } from '../objects/values.js'
import type { AnnotatedPage } from './annotated-page.js'
import { Appearance } from './appearance.js'
import { pictureOf } from './draw-annotation.js'
import type { AnnotationEntry } from './reading/page-annotations.js'

/** Annotation that was removed from its page. */
export interface RemovedAnnotation {
  readonly number: number
}

/** Returns the annotation, its replies, the members of its group, and all their popups, each list in stacking order. */
export function withDependants({ siblings }: AnnotatedPage, found: AnnotationEntry): readonly AnnotationEntry[] {
  const own = numberOf(found.object)
  const taken = new Set([own])
  // A set iterates over members that are added meanwhile.
  for (const number of taken) for (const hanging of siblings.dependentsOf(number)) taken.add(hanging)
  const popup = siblings.popupOf(found.ref)
  if (popup !== null) taken.add(numberOf(siblings.entryOf(popup)?.object ?? found.object))
  taken.delete(own)
  const places = new Map(siblings.order.map((number, place) => [number, place]))
  const others = [...taken].flatMap((number) => {
    const annotation = siblings.numbered(number)
    return annotation === undefined
      ? []
      : [{ annotation, rank: rankOf(annotation.object), place: places.get(number) ?? 0 }]
  })
  const sorted = others.toSorted((one, other) => one.rank - other.rank || one.place - other.place)
  return [found, ...sorted.map(({ annotation }) => annotation)]
}

function rankOf(dependant: PDFObject): number {
  if (nameOf(entry(dependant, 'Subtype')) === 'Popup') return 2
  return nameOf(entry(dependant, 'RT')) === 'Group' ? 1 : 0
}

/** Removes annotations and returns what restores them, in stacking order. */
export function removeAll(page: AnnotatedPage, all: readonly AnnotationEntry[]): readonly RemovedAnnotation[] {
  const { change } = page
  const numbers = new Set(all.map(({ object }) => numberOf(object)))
  const { order } = page
  const removed = order.filter((number) => numbers.has(number)).map((number) => ({ number }))
  const places = placesOn(change, page.page)
  places.follow(order)
  places.save()
  for (const { object } of all) {
    const parent = entry(object, 'Parent')
    const isPopup = nameOf(entry(object, 'Subtype')) === 'Popup' && objectNumberOf(parent) !== undefined
    // A remaining annotation must not refer to a removed popup.
    if (!isPopup || numbers.has(numberOf(parent)) || !isDictionary(parent)) continue
    change.touch(parent).delete('Popup')
    page.changed(parent)
  }
  const hidden = all.flatMap(({ object }) => belongings(page, object))
  page.remove(numbers)
  change.hide(...hidden)
  return removed
}

/**
 * Restores the annotations that can be restored: a popup needs its parent. Returns them and the existing annotations
 * that reply to one of them again.
 */
export function restoreAll(page: AnnotatedPage, removed: readonly RemovedAnnotation[]): readonly AnnotationEntry[] {
  const { change } = page
  const waiting = new Map(removed.map(({ number }) => [number, change.pdf.newIndirect(number)]))
  const places = placesOn(change, page.page)
  const present = new Set(page.order)
  const restored: AnnotationEntry[] = []
  for (const [number, object] of waiting) {
    const parent = numberOf(entry(object, 'Parent'))
    const isOrphan = nameOf(entry(object, 'Subtype')) === 'Popup' && !present.has(parent) && !waiting.has(parent)
    if (!isDictionary(object.resolve()) || present.has(number) || isOrphan) continue
    places.follow(page.order)
    const made = page.putBack(object, places.placeIn(page.order, number))
    change.show(...belongings(page, object))
    restored.push(made)
  }
  const now = new Set(page.order)
  for (const { object } of restored) reattach(page, object, now)
  const { siblings } = page
  const back = new Set(restored.map(({ object }) => numberOf(object)))
  for (const number of [...back]) for (const hanging of siblings.dependentsOf(number)) back.add(hanging)
  return page.order.flatMap((number) => (back.has(number) ? (siblings.numbered(number) ?? []) : []))
}

/** Makes the parent of a restored popup refer to it again, unless it has got another popup meanwhile. */
function reattach(page: AnnotatedPage, object: PDFObject, present: ReadonlySet<number>): void {
  const { change } = page
  const parent = entry(object, 'Parent')
  if (nameOf(entry(object, 'Subtype')) !== 'Popup' || !present.has(numberOf(parent))) return
  if (!entry(parent, 'Popup').isNull()) return
  change.touch(parent).put('Popup', object)
  page.changed(parent)
}

/** Returns the annotation and the objects that only it uses. */
function belongings(page: AnnotatedPage, object: PDFObject): readonly PDFObject[] {
  const appearance = new Appearance(page.change, object, page)
  const brought = [pictureOf(appearance), entry(object, 'FS')].filter((part) => part !== undefined).filter(isBrought)
  const streams = brought.map((part) => entry(part, 'EF', 'F'))
  return [object, ...appearance.objects(), ...brought, ...streams].filter((part) => objectNumberOf(part) !== undefined)
}

const isBrought = (part: PDFObject): boolean => booleanOf(entry(part, ownKeys.brought)) ?? false

export const numberOf = (object: PDFObject): number => objectNumberOf(object) ?? 0
