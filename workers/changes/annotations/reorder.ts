// Moves annotations within the stack of their page.
import { type AnnotationRef, annotationKey } from '../../shapes/annotation-ref.js'
import type { AnnotationPosition } from '../../shapes/list-position.js'
import { JobRefusal } from '../../task.js'
import type { AnnotatedPage } from './annotated-page.js'
import { numberOf } from './remove.js'

/** Answers whether anything lies elsewhere now. Throws `NotFound`, and `InvalidArg` where names do not go together. */
export function moveAnnotations(
  page: AnnotatedPage,
  refs: readonly AnnotationRef[],
  position: AnnotationPosition,
): boolean {
  const { order } = page
  const placeOf = (ref: AnnotationRef): number => order.indexOf(numberOf(page.find(ref).object))
  const moving = refs.map(placeOf)
  if (new Set(moving).size < moving.length) throw new JobRefusal('InvalidArg', 'An annotation is named twice')
  const staying = order.map((_, place) => place).filter((place) => !moving.includes(place))
  const at = indexOf(position, staying, placeOf)
  return rearranged(page, staying.toSpliced(at, 0, ...moving))
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
    throw new JobRefusal('InvalidArg', `The annotation ${annotationKey(anchor)} cannot be put beside itself`)
  return 'after' in position ? index + 1 : index
}

/** Numbers of a stack that was moved, before and after. */
export interface Moved {
  readonly before: readonly number[]
  readonly after: readonly number[]
}

/** Those that are still there go back, where they lie as the move left them. Answers whether they do. */
export function moveBack(page: AnnotatedPage, { before, after }: Moved): boolean {
  const { order } = page
  const there = new Set(order.filter((number) => number > 0))
  const known = new Set(before)
  const left = order.filter((number) => known.has(number))
  const expected = after.filter((number) => there.has(number))
  if (left.length !== expected.length || left.some((number, index) => number !== expected[index])) return false
  const wanted = before.filter((number) => there.has(number)).map((number) => order.indexOf(number))
  let next = 0
  return rearranged(
    page,
    order.map((number, place) => (known.has(number) ? (wanted[next++] ?? place) : place)),
  )
}

function rearranged(page: AnnotatedPage, places: readonly number[]): boolean {
  if (places.every((place, index) => place === index)) return false
  page.rearrange(places)
  return true
}
