// Moves annotations, and changes their size: every point goes where the box around the whole takes it.
import type { Annotation } from '../../../../workers/contract/annotations/annotation.js'
import type { PagePoint } from '../../../../workers/contract/page-point.js'
import type { Op } from './edits.js'
import type { OpenedDocument } from './opened-document.js'
import type { Box } from './page-space.js'
import { mayOn } from './rights.js'

const placed = ['square', 'circle', 'stamp', 'free-text', 'ink', 'line', 'polygon', 'polyline', 'text'] as const
export type PlacedAnnotation = Extract<Annotation, { readonly subtype: (typeof placed)[number] }>

/** True for what stands anywhere on a page, and not on certain words of it, if the reader may change it. */
export function mayPlace(opened: OpenedDocument, annotation: Annotation): annotation is PlacedAnnotation {
  const { hidden, noView, locked, readOnly, reply } = annotation
  const isFree = !hidden && !noView && !locked && !readOnly && reply?.type !== 'reply'
  return isFree && isPlaced(annotation) && mayOn(opened, 'update', annotation)
}

/** False for icons, which have one size, and for shapes that are turned. */
export const mayResize = (annotation: PlacedAnnotation): boolean =>
  annotation.subtype !== 'text' && !annotation.rotation

/**
 * Returns the op that brings what is in the box `rect` of the annotation into the box `to`. It is refused if somebody
 * else has moved the annotation meanwhile.
 */
export function placeOp(annotation: PlacedAnnotation, to: Box): Op {
  const { ref, rect } = annotation
  const shape = shapeOf(annotation)
  // Lines keep their width, and so do the margins around the shape.
  const [wide, high] = [rect.width - shape.width, rect.height - shape.height]
  const target = {
    x: to.x + shape.x - rect.x,
    y: to.y + shape.y - rect.y,
    width: Math.max(least, to.width - wide),
    height: Math.max(least, to.height - high),
  }
  const [acrossX, acrossY] = [stretch(target.width, shape.width), stretch(target.height, shape.height)]
  const go: Move = ({ x, y }) => ({
    x: target.x + (x - shape.x) * acrossX,
    y: target.y + (y - shape.y) * acrossY,
  })
  const patch = patchOf(annotation, to, go)
  const now = new Map<string, unknown>(Object.entries(annotation))
  const expect = Object.fromEntries(Object.keys(patch).map((member) => [member, now.get(member)]))
  return { type: 'annotations.update', ref, patch, expect }
}

export const isPlaced = (annotation: Annotation): annotation is PlacedAnnotation =>
  placed.some((subtype) => subtype === annotation.subtype)

const least = 1
const stretch = (to: number, from: number): number => (from === 0 ? 1 : to / from)

type Move = (point: PagePoint) => PagePoint

/** Returns the box around the points of the annotation, without the width of its lines. */
function shapeOf(annotation: PlacedAnnotation): Box {
  switch (annotation.subtype) {
    case 'ink':
      return around(annotation.inkList.flat())
    case 'line':
      return around([annotation.linePoints.start, annotation.linePoints.end])
    case 'polygon':
    case 'polyline':
      return around(annotation.vertices)
    case 'text':
      return annotation.rect
    default:
      return annotation.box
  }
}

function around(points: readonly PagePoint[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

function patchOf(annotation: PlacedAnnotation, to: Box, go: Move): object {
  switch (annotation.subtype) {
    case 'ink':
      return { inkList: annotation.inkList.map((line) => line.map(go)) }
    case 'line': {
      const { start, end } = annotation.linePoints
      return { linePoints: { start: go(start), end: go(end) } }
    }
    case 'polygon':
    case 'polyline':
      return { vertices: annotation.vertices.map(go) }
    case 'text':
      return { rect: to }
    default: {
      const { x, y, width, height } = annotation.box
      const [begin, end] = [go({ x, y }), go({ x: x + width, y: y + height })]
      const callout = annotation.subtype === 'free-text' ? annotation.calloutLine : null
      const box = { ...begin, width: end.x - begin.x, height: end.y - begin.y }
      return callout === null ? { box } : { box, calloutLine: callout.map(go) }
    }
  }
}
