// Drops new objects of a layer that nothing refers to any more, because the version removed the object that did.
import { contentOf } from '../file/section/section-pieces.js'
import type { StoredImage } from '../messages/task.js'
import { parseBody } from './parse-body.js'
import { type Value, withReferences } from './value.js'

/**
 * Returns the images without unreachable ones. `isInVersion`: true for objects of the version, whose images are kept in
 * any case.
 */
export function withoutUnreachable(
  images: ReadonlyMap<number, StoredImage>,
  isInVersion: (number: number) => boolean,
): readonly StoredImage[] {
  const waiting = [...images.values()].filter(({ number, isHidden }) => isHidden || isInVersion(number))
  const reached = new Map(waiting.map((image) => [image.number, image]))
  for (let image = waiting.pop(); image !== undefined; image = waiting.pop()) {
    for (const number of numbersIn(parseBody(contentOf(image.body)).value)) {
      const found = images.get(number)
      if (found === undefined || reached.has(number)) continue
      reached.set(number, found)
      waiting.push(found)
    }
  }
  return [...reached.values()].toSorted((one, other) => one.number - other.number)
}

function numbersIn(value: Value): readonly number[] {
  const numbers: number[] = []
  withReferences(value, (reference) => {
    numbers.push(reference.number)
    return reference
  })
  return numbers
}
