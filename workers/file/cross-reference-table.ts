// Reads entries of a cross-reference table (ISO 32000-2, 7.5.4) as found in practice, including lines of nineteen
// bytes.
import type { FileBytes } from './file-bytes.js'

/**
 * Receives one entry of a section. Free objects, and those within object streams, have the offset 0. `container`: number of
 * the object stream.
 */
export type TakeEntry = (number: number, offset: number, generation: number, container?: number) => void

const tableBytesMax = 256 * 1024 * 1024
const trailerBytes = 16 * 1024

/** Trailer dictionary after a table. */
export interface Trailer {
  /** Offset of the table, and its bytes. */
  readonly offset: number
  readonly sizeBytes: number
  /** Offset of the cross-reference stream of the same section (`/XRefStm`). */
  readonly stream: number | undefined
}

export function trailerOf(file: FileBytes, offset: number): Trailer | undefined {
  const trailer = file.find(/trailer/, { offset, end: file.sizeBytes, lengthMax: 'trailer'.length })
  if (trailer === undefined || trailer.start - offset > tableBytesMax) return undefined
  const text = file.text(trailer.start, trailerBytes)
  const [, stream] = /\/XRefStm\s+(\d{1,15})/.exec(text.slice(0, Math.max(0, text.search(/\bstartxref\b/)))) ?? []
  return { offset, sizeBytes: trailer.start - offset, stream: stream === undefined ? undefined : Number(stream) }
}

/** Returns the number of bytes read; undefined if there is no table. */
export function readCrossReferenceTable(
  file: FileBytes,
  { offset, sizeBytes }: Trailer,
  take: TakeEntry,
): number | undefined {
  const tokens = new Tokens(file.text(offset, sizeBytes))
  if (!tokens.word('xref')) return undefined
  while (!tokens.isAtEnd) {
    const [first, count] = [tokens.integer(), tokens.integer()]
    if (first === undefined || count === undefined) return undefined
    for (let number = first; number < first + count; number++) {
      const [place, generation, type] = [tokens.integer(), tokens.integer(), tokens.letter()]
      if (place === undefined || generation === undefined || (type !== 'n' && type !== 'f')) return undefined
      take(number, type === 'n' ? place : 0, generation)
    }
  }
  return sizeBytes
}

/** Tokenizer, written by hand for speed: a large file has hundreds of thousands of entries. */
class Tokens {
  #at = 0

  constructor(private readonly text: string) {}

  get isAtEnd(): boolean {
    this.#skipSpace()
    return this.#at >= this.text.length
  }

  word(word: string): boolean {
    this.#skipSpace()
    if (!this.text.startsWith(word, this.#at)) return false
    this.#at += word.length
    return true
  }

  integer(): number | undefined {
    this.#skipSpace()
    const start = this.#at
    let value = 0
    for (let code = this.#code; code >= 0x30 && code <= 0x39; code = this.#code) {
      value = value * 10 + code - 0x30
      this.#at++
    }
    return this.#at === start ? undefined : value
  }

  letter(): string | undefined {
    this.#skipSpace()
    return this.text[this.#at++]
  }

  get #code(): number {
    return this.#at < this.text.length ? this.text.charCodeAt(this.#at) : -1
  }

  #skipSpace(): void {
    for (let code = this.#code; code >= 0 && code <= 0x20; code = this.#code) this.#at++
  }
}
