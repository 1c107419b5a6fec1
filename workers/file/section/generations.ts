// Object generations of a file other than 0. The engine ignores them when it resolves references, but to other readers
// an object with another generation is another object.

import { crossReferencesOf } from '../cross-references.js'
import { FileBytes } from '../file-bytes.js'

/** Open copy that caches its generations: the file under it does not change. */
interface OpenCopy {
  readonly origin: { readonly path?: string }
  generations: ReadonlyMap<number, number> | undefined
}

/**
 * Returns generations by object number. A file whose sections cannot be followed has none: it would have been
 * repaired.
 */
export function generationsOf(document: OpenCopy): ReadonlyMap<number, number> {
  document.generations ??= readGenerations(document)
  return document.generations
}

function readGenerations({ origin }: OpenCopy): ReadonlyMap<number, number> {
  const generations = new Map<number, number>()
  if (origin.path === undefined) return generations
  const file = new FileBytes(origin.path)
  try {
    const references = crossReferencesOf(file)
    for (let number = 0; number < (references?.size ?? 0); number++) {
      const generation = references?.generationOf(number) ?? 0
      if (generation > 0) generations.set(number, generation)
    }
    return generations
  } finally {
    file.close()
  }
}
