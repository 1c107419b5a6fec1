// Compares what a page draws before and after a redaction: everything beside the marks is the same, and what is new
// comes from the marks, or is a part of something that reached under one.
import type { PdfRect } from '../contract/pdf-rect.js'
import type { DrawnThing } from './drawn-record.js'

/** Difference that stands in the way of a redaction. */
export interface Difference {
  readonly what: 'missing' | 'new'
  readonly kind: DrawnThing['kind']
  readonly bounds: PdfRect
}

export interface Drawn {
  readonly before: readonly DrawnThing[]
  readonly after: readonly DrawnThing[]
  /** What the marks themselves draw, after everything else. */
  readonly overlays: readonly DrawnThing[]
  /** Places of things that left whole, whatever they drew. */
  readonly left: readonly PdfRect[]
}

/** Distance in points that rounding may move a thing, and beyond which a part of a thing does not reach. */
const placeTolerance = 0.05
const partTolerance = 1
const placeLength = 6

/** What a page draws, in little memory: a redaction keeps it of every page until the file is written. */
export interface DrawnSummary {
  readonly looks: Uint32Array
  readonly places: Float32Array
}

export function summaryOf(things: readonly DrawnThing[]): DrawnSummary {
  const places = new Float32Array(things.length * placeLength)
  for (const [index, { place }] of things.entries()) places.set(place, index * placeLength)
  return { looks: Uint32Array.from(things, digestOf), places }
}

/** True if the page draws what the summary says, in this order. */
export const isSummaryOf = ({ looks, places }: DrawnSummary, things: readonly DrawnThing[]): boolean =>
  looks.length === things.length &&
  things.every(
    (thing, index) =>
      digestOf(thing) === looks[index] &&
      isSamePlace(thing.place, places.subarray(index * placeLength, (index + 1) * placeLength)),
  )

function digestOf({ kind, look }: DrawnThing): number {
  let digest = kind.length
  for (let at = 0; at < look.length; at++) digest = Math.imul(digest ^ look.charCodeAt(at), 0x01000193)
  return digest >>> 0
}

export function differenceOf({ before, after, overlays, left }: Drawn): Difference | undefined {
  const end = after.length - overlays.length
  const altered: PdfRect[] = []
  let at = 0
  const isPart = (thing: DrawnThing): boolean =>
    thing.kind !== 'glyph' && altered.some((bounds) => isWithin(thing.bounds, bounds))
  for (const thing of before) {
    if (thing.stays === false) continue
    const mayLeave = thing.stays === undefined || left.some((bounds) => isWithin(thing.bounds, bounds))
    if (mayLeave) altered.push(thing.bounds)
    let place = at
    // Parts of altered things stand before the next thing that is as it was.
    while (place < end && !isSame(thing, after[place]) && isPart(after[place] ?? thing)) place++
    if (place < end && isSame(thing, after[place])) at = place + 1
    else if (!mayLeave) return { what: 'missing', kind: thing.kind, bounds: thing.bounds }
  }
  const more = after.slice(at, end).find((thing) => !isPart(thing)) ?? foreign(after.slice(Math.max(0, end)), overlays)
  return more && { what: 'new', kind: more.kind, bounds: more.bounds }
}

function foreign(drawn: readonly DrawnThing[], overlays: readonly DrawnThing[]): DrawnThing | undefined {
  const index = overlays.findIndex((thing, place) => !isSame(thing, drawn[place]))
  return index < 0 ? undefined : overlays[index]
}

const isSame = (one: DrawnThing, other: DrawnThing | undefined): boolean =>
  other !== undefined && one.kind === other.kind && one.look === other.look && isSamePlace(one.place, other.place)

const isSamePlace = (one: ArrayLike<number>, other: ArrayLike<number>): boolean => {
  for (let index = 0; index < placeLength; index++) {
    const value = one[index] ?? 0
    const tolerance = index < 4 ? 1e-3 * Math.max(1, Math.abs(value)) : placeTolerance + 1e-4 * Math.abs(value)
    if (Math.abs(value - (other[index] ?? 0)) > tolerance) return false
  }
  return true
}

const isWithin = (inner: PdfRect, outer: PdfRect): boolean =>
  inner.left >= outer.left - partTolerance &&
  inner.bottom >= outer.bottom - partTolerance &&
  inner.right <= outer.right + partTolerance &&
  inner.top <= outer.top + partTolerance
