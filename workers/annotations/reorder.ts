// Moves annotations within the stacking order of their page.

import { type MovedMember, placesOn } from '../change/list-places.js'
import { type AnnotationRef, annotationKey } from '../contract/annotation-ref.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { AnnotationPosition } from '../contract/list-position.js'
import type { AnnotatedPage } from './annotated-page.js'
import { numberOf } from './remove.js'

/**
 * Returns the data for undoing the move; empty if the order did not change. Throws `NotFound`, and `InvalidArg` for an
 * impossible order.
 */
export function moveAnnotations(
  page: AnnotatedPage,
  refs: readonly AnnotationRef[],
  position: AnnotationPosition,
): readonly MovedMember[] {
  const { order } = page
  const placeOf = (ref: AnnotationRef): number => order.indexOf(numberOf(page.find(ref).object))
  const moving = refs.map(placeOf)
  if (new Set(moving).size < moving.length) throw new JobRefusal('InvalidArg', 'An annotation is named twice')
  const staying = order.map((_, place) => place).filter((place) => !moving.includes(place))
  const at = indexOf(position, staying, placeOf)
  const places = placesOn(page.change, page.page)
  places.follow(order)
  if (!rearrange(page, staying.toSpliced(at, 0, ...moving))) return []
  return places.move(
    moving.map((place) => order[place] ?? 0),
    page.order,
  )
}

function indexOf(
  position: AnnotationPosition,
  staying: readonly number[],
  placeOf: (ref: AnnotationRef) => number,
): number {
  if (position === 'start') return 0
  if (position === 'end') return staying.length
  const anchor = 'after' in position ? position.after : position.before
  const index = staying.indexOf(placeOf(anchor))
  if (index === -1)
    throw new JobRefusal('InvalidArg', `The annotation ${annotationKey(anchor)} cannot be placed beside itself`)
  return 'after' in position ? index + 1 : index
}

/**
 * Moves annotations back. Returns the data for undoing that; empty, without moving any, if one of them was moved since.
 */
export function moveBack(page: AnnotatedPage, moved: readonly MovedMember[]): readonly MovedMember[] {
  const { order } = page
  const places = placesOn(page.change, page.page)
  places.follow(order)
  const restored = places.moveBack(moved, order)
  if (restored === undefined) return []
  const placeOfNumber = new Map(order.toReversed().map((number, index) => [number, order.length - 1 - index]))
  let next = 0
  rearrange(
    page,
    order.map((number, place) =>
      number > 0 && placeOfNumber.get(number) === place
        ? (placeOfNumber.get(restored.order[next++] ?? 0) ?? place)
        : place,
    ),
  )
  return restored.moved
}

/** Returns false if the order is the same. */
function rearrange(page: AnnotatedPage, places: readonly number[]): boolean {
  if (places.every((place, index) => place === index)) return false
  page.rearrange(places)
  return true
}
