// Reads a file in pieces at offsets that the file itself states; at most one piece is in memory.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

const pieceBytes = 256 * 1024

export interface Match {
  readonly start: number
  readonly end: number
  readonly groups: readonly string[]
}

export class FileBytes {
  readonly #descriptor: number
  readonly sizeBytes: number

  constructor(path: string) {
    this.#descriptor = openSync(path, 'r')
    this.sizeBytes = fstatSync(this.#descriptor).size
  }

  /** Returns text with one character per byte; shorter at the end of the file, empty beyond it. */
  text(offset: number, length: number): string {
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.sizeBytes - offset)))
    if (bytes.length === 0) return ''
    return bytes.subarray(0, readSync(this.#descriptor, bytes, 0, bytes.length, offset)).toString('latin1')
  }

  /** Returns the first match of a pattern of at most `lengthMax` bytes from `offset` on and before `end`. */
  find(
    pattern: RegExp,
    { offset, end, lengthMax }: { offset: number; end: number; lengthMax: number },
  ): Match | undefined {
    for (let at = offset; at < end; at += pieceBytes) {
      const match = pattern.exec(this.text(at, Math.min(pieceBytes + lengthMax, end - at)))
      if (match === null) continue
      const start = at + match.index
      return { start, end: start + match[0].length, groups: match.slice(1) }
    }
    return undefined
  }

  close(): void {
    closeSync(this.#descriptor)
  }
}
