// Bytes of a file, and optionally of a section that follows it, read on demand in cached pieces.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import type { Bytes } from './bytes.js'

const none = new Uint8Array()

export class RangedFile implements Bytes {
  readonly sizeBytes: number
  /** Size of the file without the section. */
  readonly fileBytes: number
  readonly #descriptor: number
  readonly #section: Uint8Array
  /** Cached pieces by their offsets, in the order of their last use. */
  readonly #pieces = new Map<number, Uint8Array>()
  /** Piece that was used last, and its offset. */
  #piece: Uint8Array = none
  #start = 0
  #isOpen = true

  constructor(path: string, section: Uint8Array = none) {
    this.#descriptor = openSync(path, 'r')
    this.fileBytes = fstatSync(this.#descriptor).size
    this.#section = section
    this.sizeBytes = this.fileBytes + section.length
  }

  byte(offset: number): number {
    const cached = this.#piece[offset - this.#start]
    if (cached !== undefined) return cached
    if (offset < 0 || offset >= this.sizeBytes) return -1
    this.#load(offset - (offset % strictLimits.pieceBytes))
    return this.#piece[offset - this.#start] ?? -1
  }

  slice(offset: number, length: number): Uint8Array {
    if (!(offset >= 0 && length >= 0 && offset + length <= this.sizeBytes)) {
      throw new NotStrict('The range is outside of the file', offset)
    }
    const bytes = new Uint8Array(length)
    this.#read(bytes, offset)
    return bytes
  }

  close(): void {
    if (this.#isOpen) closeSync(this.#descriptor)
    this.#isOpen = false
    this.#pieces.clear()
    this.#piece = none
  }

  #load(start: number): void {
    const cached = this.#pieces.get(start)
    const piece = cached ?? this.slice(start, Math.min(strictLimits.pieceBytes, this.sizeBytes - start))
    this.#pieces.delete(start)
    this.#pieces.set(start, piece)
    const [oldest = start] = this.#pieces.keys()
    if (this.#pieces.size > strictLimits.piecesMax) this.#pieces.delete(oldest)
    this.#piece = piece
    this.#start = start
  }

  #read(target: Uint8Array, offset: number): void {
    const fromFile = Math.max(0, Math.min(target.length, this.fileBytes - offset))
    for (let at = 0; at < fromFile; ) {
      const count = readSync(this.#descriptor, target, at, fromFile - at, offset + at)
      if (count === 0) throw new NotStrict('The file became shorter while it was read', offset + at)
      at += count
    }
    const from = offset + fromFile - this.fileBytes
    if (fromFile < target.length) target.set(this.#section.subarray(from, from + target.length - fromFile), fromFile)
  }
}
