// Buffer of decoded bytes that grows up to the limit.
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'

export class Output {
  #buffer = new Uint8Array(4096)
  #length = 0

  push(bytes: Uint8Array): void {
    const length = this.#length + bytes.length
    if (length > strictLimits.decodedBytesMax) throw new NotStrict('The decoded data of a stream is too large')
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length))
      larger.set(this.#buffer.subarray(0, this.#length))
      this.#buffer = larger
    }
    this.#buffer.set(bytes, this.#length)
    this.#length = length
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }
}
