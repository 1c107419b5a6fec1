// Moves annotations, and changes their size: every point goes where the box around the whole takes it.
import type { Annotation } from '../../../../workers/contract/annotations/annotation.js'
import type { Op } from './edits.js'
import type { Point } from './new-annotations.js'
import type { OpenedDocument } from './opened-document.js'
import type { Box } from './page-space.js'
import { mayOn } from './rights.js'

const placed = ['square', 'circle', 'stamp', 'free-text', 'ink', 'line', 'polygon', 'polyline', 'text'] as const
export type PlacedAnnotation = Extract<Annotation, { readonly subtype: (typeof placed)[number] }>

/** True for what stands anywhere on a page, and not on certain words of it, if the reader may change it. */
export function mayPlace(opened: OpenedDocument, annotation: Annotation): annotation is PlacedAnnotation {
  const { hidden, noView, locked, readOnly } = annotation
  const isFree = placed.some((subtype) => subtype === annotation.subtype) && !hidden && !noView && !locked && !readOnly
  return isFree && mayOn(opened, 'update', annotation)
}

/** False for icons, which have one size, and for shapes that are turned. */
export const mayResize = (annotation: PlacedAnnotation): boolean =>
  annotation.subtype !== 'text' && !annotation.rotation

/** Returns the op that brings what is in the box `rect` of the annotation into the box `to`. */
export function placeOp(annotation: PlacedAnnotation, to: Box): Op {
  const { ref, rect } = annotation
  const [acrossX, acrossY] = [stretch(to.width, rect.width), stretch(to.height, rect.height)]
  const go = ({ x, y }: Point): Point => ({ x: to.x + (x - rect.x) * acrossX, y: to.y + (y - rect.y) * acrossY })
  return { type: 'annotations.update', ref, patch: patchOf(annotation, to, go) }
}

const stretch = (to: number, from: number): number => (from === 0 ? 1 : to / from)

function patchOf(annotation: PlacedAnnotation, to: Box, go: (point: Point) => Point): object {
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
