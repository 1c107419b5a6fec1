// Places on a page that annotations of a kind mark already.

import { readAnnotation } from '../annotations/reading/list.js'
import { PageAnnotations } from '../annotations/reading/page-annotations.js'
import type { MarkKind } from '../contract/marking.js'
import type { PageQuad } from '../contract/page-quad.js'
import type { Reading } from '../document/reading.js'
import { entry, nameOf } from '../objects/values.js'

type Place = readonly PageQuad[]

const names: Readonly<Record<MarkKind, string>> = { redact: 'Redact', highlight: 'Highlight' }

/** Tolerance in points: a file stores numbers in single precision. */
const tolerance = 0.05

export class MarkedPlaces {
  readonly #places: readonly Place[]

  constructor(reading: Reading, page: number, kind: MarkKind) {
    const siblings = new PageAnnotations(reading, page)
    const space = reading.spaceOf(page)
    this.#places = siblings.entries
      .filter(({ object }) => nameOf(entry(object, 'Subtype')) === names[kind])
      .flatMap((found) => {
        const mark = readAnnotation({ ...found, reading, space, siblings })
        // A mark that nobody sees is none for the person who reviews the marks.
        if (mark.subtype !== kind || mark.hidden || mark.noView) return []
        return [mark.quadPoints]
      })
  }

  has(place: Place): boolean {
    return this.#places.some((one) => isSamePlace(one, place))
  }
}

const isSamePlace = (one: Place, other: Place): boolean =>
  one.length === other.length && one.every((quad, index) => isSameQuad(quad, other[index]))

/** Compares corners in any order, because files name them in different orders. */
function isSameQuad(one: PageQuad, other: PageQuad | undefined): boolean {
  const corners = Object.values(other ?? {})
  return Object.values(one).every(({ x, y }) =>
    corners.some((corner) => Math.abs(corner.x - x) <= tolerance && Math.abs(corner.y - y) <= tolerance),
  )
}
