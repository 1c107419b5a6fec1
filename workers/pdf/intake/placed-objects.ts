// Whether every object of a file begins where its cross-reference sections say. The engine finds out only when it needs the
// object, repairs the file in its memory, and forgets what was changed of it before.
import { type CrossReferences, crossReferencesOf } from '../cross-references.js'
import { FileBytes } from '../file-bytes.js'

/** Objects that begin within so many bytes are looked at together. */
const windowBytes = 64 * 1024
/** Blanks and comments before an object, and its two numbers. */
const headBytes = 256

/**
 * The number of an object that stands elsewhere. Undefined also where the sections cannot be followed: then the engine
 * repairs the file as soon as it opens it.
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

/** In the order of the file, which is read once at most. */
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

interface Named {
  readonly number: number
  readonly generation: number
}

const objectHead = /(?:[\0\t\n\f\r ]|%[^\r\n]*[\r\n])*(\d{1,10})[\0\t\n\f\r ]+(\d{1,10})[\0\t\n\f\r ]*obj/y

function beginsAt(window: string, at: number, { number, generation }: Named): boolean {
  objectHead.lastIndex = at
  const match = objectHead.exec(window)
  return match !== null && Number(match[1]) === number && Number(match[2]) === generation
}
