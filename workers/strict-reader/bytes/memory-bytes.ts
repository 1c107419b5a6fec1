// Bytes in memory, such as those of an object stream.
import { NotStrict } from '../strict-document.js'
import type { Bytes } from './bytes.js'

export class MemoryBytes implements Bytes {
  readonly sizeBytes: number

  constructor(readonly bytes: Uint8Array) {
    this.sizeBytes = bytes.length
  }

  byte(offset: number): number {
    return this.bytes[offset] ?? -1
  }

  slice(offset: number, length: number): Uint8Array {
    if (offset < 0 || length < 0 || offset + length > this.sizeBytes) throw new NotStrict('Data ends early')
    return this.bytes.subarray(offset, offset + length)
  }
}
