// Reads quads of text. The standard orders the corners counter-clockwise from the lower left; most writers use a Z
// from the upper left. The order is determined from the coordinates.

import type { PageQuad } from '../../contract/page-quad.js'
import type { PdfRect } from '../../contract/pdf-rect.js'
import type { PageSpace } from '../../document/page-space.js'
import { emptyRect, rectangleOf } from '../../objects/rectangles.js'
import { entry } from '../../objects/values.js'
import type { AnnotationSource } from './annotation-source.js'

type Corner = readonly [x: number, y: number]

/** Returns the quads; a mark without quads marks its rectangle. */
export function quadsOf(source: AnnotationSource): { quadPoints: PageQuad[] } {
  const rect = rectangleOf(entry(source.object, 'Rect')) ?? emptyRect
  return { quadPoints: ownQuadsOf(source) ?? [quadOfRect(source.space, rect)] }
}

/** Returns undefined if the annotation has no quads. */
export function ownQuadsOf({ reading, object, space }: AnnotationSource): PageQuad[] | undefined {
  const quads = quadsIn(reading.numbers(entry(object, 'QuadPoints')) ?? [], space)
  return quads.length === 0 ? undefined : quads
}

/** Returns the quads of a list of numbers in user space; those of an incomplete quad are dropped. */
export function quadsIn(numbers: readonly number[], space: PageSpace): PageQuad[] {
  const quads: PageQuad[] = []
  for (let start = 0; start + 8 <= numbers.length; start += 8) {
    const corner = (index: number): Corner => [numbers[start + 2 * index] ?? 0, numbers[start + 2 * index + 1] ?? 0]
    quads.push(quadOf(space, [corner(0), corner(1), corner(2), corner(3)]))
  }
  return quads
}

function quadOf(space: PageSpace, [first, second, third, fourth]: readonly [Corner, Corner, Corner, Corner]): PageQuad {
  const along = minus(second, first)
  const isAround = dot(along, minus(fourth, third)) < 0
  // The other two corners, each below or above its partner of the first two.
  const [underFirst, underSecond] = isAround ? [fourth, third] : [third, fourth]
  const upwards: Corner = [-along[1], along[0]]
  const isFirstPairLower = dot(minus(underFirst, first), upwards) > 0
  const [upper, lower] = isFirstPairLower
    ? [[underFirst, underSecond] as const, [first, second] as const]
    : [[first, second] as const, [underFirst, underSecond] as const]
  return {
    upperLeft: space.toPagePoint(...upper[0]),
    upperRight: space.toPagePoint(...upper[1]),
    lowerLeft: space.toPagePoint(...lower[0]),
    lowerRight: space.toPagePoint(...lower[1]),
  }
}

function quadOfRect(space: PageSpace, { left, bottom, right, top }: PdfRect): PageQuad {
  return {
    upperLeft: space.toPagePoint(left, top),
    upperRight: space.toPagePoint(right, top),
    lowerLeft: space.toPagePoint(left, bottom),
    lowerRight: space.toPagePoint(right, bottom),
  }
}

const minus = ([x1, y1]: Corner, [x2, y2]: Corner): Corner => [x1 - x2, y1 - y2]
const dot = ([x1, y1]: Corner, [x2, y2]: Corner): number => x1 * x2 + y1 * y2
