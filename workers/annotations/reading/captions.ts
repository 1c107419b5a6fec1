// Reads scales and captions of measuring annotations.
import { ownKeys } from '../../objects/own-keys.js'
import { booleanOf, entry, numbersOf } from '../../objects/values.js'
import { measurementOf } from '../../pages/measures.js'
import type { AnnotationSource } from './annotation-source.js'

export const measureOf = ({ reading, object, space }: AnnotationSource) => ({
  measure: measurementOf(reading, entry(object, 'Measure'), space),
})

/** Reads a caption: the standard defines captions for lines only; writers use the same key for polygons. */
export function captionOf({ object, space }: AnnotationSource) {
  const [x, y] = numbersOf(entry(object, ownKeys.captionCenter), 2) ?? []
  return {
    captionEnabled: booleanOf(entry(object, 'Cap')) ?? null,
    captionCenter: x === undefined || y === undefined ? null : space.toPagePoint(x, y),
  }
}
