// Reads the entropy-coded data of a JPEG scan (ITU-T T.81, F.2.2): bits, Huffman codes and restart markers.
import { JpegError } from './jpeg-error.js'

/** Lookup table indexed by the next 16 bits: `length << 8 | symbol` of the code they begin with; 0 = no code. */
export type HuffmanLookup = Uint16Array

const marker = 0xff
const [firstRestart, lastRestart] = [0xd0, 0xd7]
const peekBits = 16

export class BitReader {
  #window = 0
  #available = 0
  /** Number of bits read past the end of the data, which are read as zeros. */
  #missing = 0

  constructor(
    readonly bytes: Uint8Array,
    private place: number,
  ) {}

  symbol(lookup: HuffmanLookup): number {
    this.#fill()
    const found = lookup[(this.#window >>> (this.#available - peekBits)) & 0xffff] ?? 0
    if (found === 0) throw new JpegError('An entropy-coded segment has an unknown code')
    this.#available -= found >>> 8
    return found & 0xff
  }

  bits(count: number): number {
    if (count === 0) return 0
    this.#fill()
    this.#available -= count
    return (this.#window >>> this.#available) & ((1 << count) - 1)
  }

  /** Reads a signed value of `count` bits (T.81, F.12). */
  value(count: number): number {
    const read = this.bits(count)
    return count > 0 && read < 1 << (count - 1) ? read - (1 << count) + 1 : read
  }

  /** Continues after the next restart marker. */
  restart(): void {
    this.#end()
    let place = this.place
    while (place + 1 < this.bytes.length && !this.#isRestart(place)) {
      if (this.bytes[place] === marker && this.bytes[place + 1] !== 0 && this.bytes[place + 1] !== marker)
        throw new JpegError('A restart marker is missing')
      place++
    }
    this.place = place + 2
  }

  /** Returns the offset of the end of the data. */
  end(): number {
    this.#end()
    return this.place
  }

  #end(): void {
    // Zeros in the window were not in the file; reading more bits than the file has means that data is missing.
    if (this.#missing > this.#available) throw new JpegError('An entropy-coded segment is cut off')
    this.#window = 0
    this.#available = 0
    this.#missing = 0
  }

  #isRestart(place: number): boolean {
    const code = this.bytes[place + 1] ?? 0
    return this.bytes[place] === marker && code >= firstRestart && code <= lastRestart
  }

  #fill(): void {
    while (this.#available <= peekBits) {
      this.#window = (this.#window << 8) | this.#byte()
      this.#available += 8
    }
  }

  #byte(): number {
    const byte = this.bytes[this.place]
    if (byte === undefined || (byte === marker && this.bytes[this.place + 1] !== 0)) {
      this.#missing += 8
      return 0
    }
    this.place += byte === marker ? 2 : 1
    return byte
  }
}
