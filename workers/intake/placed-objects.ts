// Checks that every object of a file begins where its cross-reference sections say. The engine checks only when it
// needs the object; it then repairs the file in memory and loses earlier changes.
import { type CrossReferences, crossReferencesOf } from '../file/cross-references.js'
import { FileBytes } from '../file/file-bytes.js'

/** Bytes of the file inspected at once. */
const windowBytes = 64 * 1024
/** Maximum number of bytes of white space and comments before an object, and of its two numbers. */
const headBytes = 256

/**
 * Returns the number of a misplaced object; undefined if there is none, or if the sections cannot be followed: the
 * engine then repairs the file when it opens it.
 */
export function misplacedObject(path: string): number | undefined {
  const file = new FileBytes(path)
  try {
    const references = crossReferencesOf(file)
    return references && misplacedIn(file, references)
  } finally {
    file.close()
  }
}

/** Checks objects in file order, so that the file is read at most once. */
function misplacedIn(file: FileBytes, references: CrossReferences): number | undefined {
  let [start, window] = [0, '']
  for (const number of inOrder(references)) {
    const offset = references.offsetOf(number)
    if (offset + headBytes > start + window.length && start + window.length < file.sizeBytes) {
      start = offset
      window = file.text(start, windowBytes)
    }
    if (!beginsAt(window, offset - start, { number, generation: references.generationOf(number) })) return number
  }
  return undefined
}

function inOrder(references: CrossReferences): Uint32Array {
  const numbers: number[] = []
  for (let number = 0; number < references.size; number++) if (references.offsetOf(number) > 0) numbers.push(number)
  return Uint32Array.from(numbers).sort((one, other) => references.offsetOf(one) - references.offsetOf(other))
}

interface NamedObject {
  readonly number: number
  readonly generation: number
}

const objectHead = /(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*(\d{1,10})[\0\t\n\f\r ]+(\d{1,10})[\0\t\n\f\r ]*obj/y

function beginsAt(window: string, at: number, { number, generation }: NamedObject): boolean {
  objectHead.lastIndex = at
  const match = objectHead.exec(window)
  return match !== null && Number(match[1]) === number && Number(match[2]) === generation
}
