// SHA-256 of bytes as they pass, up to a length above which the caller has it made elsewhere.
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

  /** In lower-case hex; undefined = more bytes passed than it hashes. */
  digest(): string | undefined {
    return this.#hash?.digest('hex')
  }
}
