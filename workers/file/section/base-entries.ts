// What the cross-reference sections of the file under an open copy say about its objects. The engine ignores generations when it
// resolves references, but to other readers an object with another generation is another object.
import type { PDFDocument } from 'mupdf'
import { CrossReferences, crossReferencesOf } from '../cross-references.js'
import { FileBytes } from '../file-bytes.js'
import { type ReadNumbers, readNumbersIn } from '../written-numbers.js'

export interface BaseEntries {
  /** Generations other than 0, by object number. */
  readonly generations: ReadonlyMap<number, number>
  readonly numbersOf: ReadNumbers
  /** True if the file has an object under this number. */
  has(number: number): boolean
}

/** Open copy that caches these entries: the file under it does not change. */
export interface OpenCopy {
  readonly pdf: PDFDocument
  readonly origin: { readonly path?: string }
  baseEntries: BaseEntries | undefined
}

/** Returns the entries. A file whose sections cannot be followed has none: it would have been repaired. */
export function baseEntriesOf(copy: OpenCopy): BaseEntries {
  copy.baseEntries ??= readEntries(copy)
  return copy.baseEntries
}

function readEntries({ pdf, origin: { path } }: OpenCopy): BaseEntries {
  const references = path === undefined ? new CrossReferences() : referencesIn(path)
  const generations = new Map<number, number>()
  for (let number = 0; number < references.size; number++) {
    const generation = references.generationOf(number)
    if (generation > 0) generations.set(number, generation)
  }
  return {
    generations,
    numbersOf: path === undefined ? () => [] : readNumbersIn(path, pdf, references),
    has: (number) => references.offsetOf(number) > 0 || references.containerOf(number) !== undefined,
  }
}

function referencesIn(path: string): CrossReferences {
  const file = new FileBytes(path)
  try {
    return crossReferencesOf(file) ?? new CrossReferences()
  } finally {
    file.close()
  }
}
