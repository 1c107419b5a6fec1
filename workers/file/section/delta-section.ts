// Builds an incremental update (ISO 32000-2, 7.5.6): objects, one cross-reference section of the kind the file has, and
// a trailer with everything in the file's own trailer. The file itself is not read.
import type { Piece } from '../../engine/file-stream.js'
import type { BaseTail } from './base-tail.js'
import { crossReferenceStream, crossReferenceTable, type PlacedObject } from './cross-reference.js'

export interface SectionObject {
  readonly number: number
  readonly generation: number
  readonly body: Piece
}

export interface Section {
  readonly pieces: readonly Piece[]
  readonly sizeBytes: number
  /** The objects of the section, in numerical order. */
  readonly placed: readonly PlacedObject[]
  /** First object number above those of the file and the section. */
  readonly nextObject: number
}

export interface SectionParts {
  readonly base: BaseTail
  /** Objects with distinct numbers. */
  readonly objects: readonly SectionObject[]
  /** First unused object number; a cross-reference stream gets it. */
  readonly firstFree: number
  /** Trailer entries that differ from the file's. */
  readonly trailer?: ReadonlyMap<string, string>
}

export function deltaSection({ base, objects, firstFree, trailer }: SectionParts): Section {
  const writing = new Pieces(base.sizeBytes)
  // A file need not end with a line break.
  writing.text('\n')
  const placed = objects
    .toSorted((one, other) => one.number - other.number)
    .map((object) => writeObject(writing, object))
  const startXref = writing.position
  const keys = new Map([...base.trailer, ...(trailer ?? [])])
  if (base.startXref !== undefined) keys.set('Prev', String(base.startXref))
  writers[base.kind](writing, { placed, firstFree, keys })
  writing.text(`startxref\n${startXref}\n%%EOF\n`)
  const nextObject = base.kind === 'stream' ? firstFree + 1 : firstFree
  return { pieces: writing.pieces(), sizeBytes: writing.position - base.sizeBytes, placed, nextObject }
}

interface CrossReferences {
  readonly placed: readonly PlacedObject[]
  readonly firstFree: number
  readonly keys: ReadonlyMap<string, string>
}

const writers: Readonly<Record<BaseTail['kind'], (writing: Pieces, parts: CrossReferences) => void>> = {
  table(writing, { placed, firstFree, keys }) {
    writing.text(`${crossReferenceTable(placed)}trailer\n<</Size ${firstFree}${textOf(keys)}>>\n`)
  },
  stream(writing, { placed, firstFree, keys }) {
    const itself = { number: firstFree, generation: 0, offset: writing.position }
    const { entries, bytes } = crossReferenceStream([...placed, itself])
    writing.text(`${firstFree} 0 obj\n<<${entries}/Size ${firstFree + 1}${textOf(keys)}>>\nstream\n`)
    writing.add(bytes)
    writing.text('\nendstream\nendobj\n')
  },
}

const textOf = (keys: ReadonlyMap<string, string>): string =>
  [...keys].map(([key, value]) => `/${key} ${value}`).join('')

function writeObject(writing: Pieces, { number, generation, body }: SectionObject): PlacedObject {
  const offset = writing.position
  writing.text(`${number} ${generation} obj\n`)
  writing.add(body)
  writing.text('\nendobj\n')
  return { number, generation, offset }
}

/** Collects pieces and joins short ones: a layer of thousands of objects results in a few pieces. */
class Pieces {
  readonly #done: Piece[] = []
  #joining: Uint8Array[] = []

  constructor(public position: number) {}

  text(text: string): void {
    this.add(Buffer.from(text, 'latin1'))
  }

  add(piece: Piece): void {
    this.position += piece.length
    if (piece instanceof Uint8Array) {
      this.#joining.push(piece)
    } else {
      this.#join()
      this.#done.push(piece)
    }
  }

  pieces(): readonly Piece[] {
    this.#join()
    return this.#done
  }

  #join(): void {
    if (this.#joining.length > 0) this.#done.push(Buffer.concat(this.#joining))
    this.#joining = []
  }
}
