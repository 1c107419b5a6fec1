// Streaming SHA-256 up to a maximum length; longer content is hashed elsewhere by the caller.
import { createHash, type Hash } from 'node:crypto'

export class PassingHash {
  #hash: Hash | undefined = createHash('sha256')
  #bytesLeft: number

  constructor(bytesMax: number) {
    this.#bytesLeft = bytesMax
  }

  update(chunk: Uint8Array): void {
    this.#bytesLeft -= chunk.length
    if (this.#bytesLeft < 0) this.#hash = undefined
    this.#hash?.update(chunk)
  }

  /** Returns the SHA-256 in lower-case hex; undefined if the content was longer than the maximum. */
  digest(): string | undefined {
    return this.#hash?.digest('hex')
  }
}
