// Reads one scan of a JPEG into the coefficients of its components (ITU-T T.81, F.2 and G.2): sequential and
// progressive.
import { BitReader, type HuffmanLookup } from './bit-reader.js'
import { JpegError } from './jpeg-error.js'
import { blockSize, type JpegComponent, type JpegPicture } from './jpeg-picture.js'

export interface ScanComponent {
  readonly component: JpegComponent
  readonly dc: HuffmanLookup | undefined
  readonly ac: HuffmanLookup | undefined
}

export interface Scan {
  readonly components: readonly ScanComponent[]
  readonly isProgressive: boolean
  /** Spectral selection and successive approximation parameters of the scan. */
  readonly start: number
  readonly end: number
  readonly high: number
  readonly low: number
  /** Number of units between restart markers; 0 = no markers. */
  readonly restartInterval: number
}

/** Reads a scan and returns the offset of its end. Throws `JpegError`. */
export function readScan(picture: JpegPicture, scan: Scan, bytes: Uint8Array, from: number): number {
  const reader = new BitReader(bytes, from)
  const decoder = new BlockDecoder(reader, scan)
  let left = scan.restartInterval
  for (const unit of unitsOf(picture, scan)) {
    if (scan.restartInterval > 0 && left-- === 0) {
      reader.restart()
      decoder.reset()
      left = scan.restartInterval - 1
    }
    unit(decoder)
  }
  return reader.end()
}

type Unit = (decoder: BlockDecoder) => void

/** Yields the blocks of each unit. A single component is stored block by block without padding blocks (A.2.2). */
function* unitsOf({ unitsWide, unitsHigh }: JpegPicture, { components }: Scan): Generator<Unit> {
  const [only, ...others] = components
  if (only !== undefined && others.length === 0) {
    const { blocksWide, blocksHigh, blocksPerRow } = only.component
    for (let row = 0; row < blocksHigh; row++) {
      for (let column = 0; column < blocksWide; column++) {
        const at = (row * blocksPerRow + column) * blockSize
        yield (decoder) => decoder.read(only, at, 0)
      }
    }
    return
  }
  for (let row = 0; row < unitsHigh; row++) {
    for (let column = 0; column < unitsWide; column++) {
      yield (decoder) => {
        for (const [index, one] of components.entries()) {
          const { horizontal, vertical, blocksPerRow } = one.component
          for (let y = 0; y < vertical; y++) {
            for (let x = 0; x < horizontal; x++) {
              const block = (row * vertical + y) * blocksPerRow + column * horizontal + x
              decoder.read(one, block * blockSize, index)
            }
          }
        }
      }
    }
  }
}

class BlockDecoder {
  /** Last DC coefficient of each component of the scan. */
  readonly #last = [0, 0, 0, 0]
  /** Number of following blocks that have no coefficient of this band. */
  #emptyBlocks = 0
  readonly #method: (one: ScanComponent, at: number, index: number) => void

  constructor(
    private readonly reader: BitReader,
    private readonly scan: Scan,
  ) {
    this.#method = this.#methodFor(scan)
  }

  reset(): void {
    this.#last.fill(0)
    this.#emptyBlocks = 0
  }

  read(one: ScanComponent, at: number, index: number): void {
    this.#method(one, at, index)
  }

  #methodFor({ isProgressive, start, high }: Scan): BlockDecoder['read'] {
    if (!isProgressive) return this.#whole
    if (start === 0) return high === 0 ? this.#firstDc : this.#nextDc
    return high === 0 ? this.#firstAc : this.#nextAc
  }

  readonly #whole = (one: ScanComponent, at: number, index: number): void => {
    const { reader } = this
    const { coefficients } = one.component
    const ac = tableOf(one.ac)
    coefficients[at] = this.#dc(one, index)
    for (let place = 1; place < blockSize; ) {
      const symbol = reader.symbol(ac)
      const [zeros, size] = [symbol >> 4, symbol & 15]
      if (size === 0) {
        if (zeros < 15) return
        place += 16
        continue
      }
      place += zeros
      if (place >= blockSize) throw new JpegError('A block has too many coefficients')
      coefficients[at + place++] = reader.value(size)
    }
  }

  #dc({ dc }: ScanComponent, index: number): number {
    const size = this.reader.symbol(tableOf(dc))
    if (size > 15) throw new JpegError('A coefficient is too large')
    const value = (this.#last[index] ?? 0) + this.reader.value(size)
    this.#last[index] = value
    return value
  }

  readonly #firstDc = (one: ScanComponent, at: number, index: number): void => {
    one.component.coefficients[at] = this.#dc(one, index) << this.scan.low
  }

  readonly #nextDc = ({ component: { coefficients } }: ScanComponent, at: number): void => {
    if (this.reader.bits(1) === 1) coefficients[at] = (coefficients[at] ?? 0) | (1 << this.scan.low)
  }

  readonly #firstAc = ({ component: { coefficients }, ac }: ScanComponent, at: number): void => {
    if (this.#emptyBlocks > 0) {
      this.#emptyBlocks--
      return
    }
    const { reader } = this
    const { start, end, low } = this.scan
    const lookup = tableOf(ac)
    for (let place = start; place <= end; ) {
      const symbol = reader.symbol(lookup)
      const [zeros, size] = [symbol >> 4, symbol & 15]
      if (size === 0) {
        if (zeros < 15) {
          this.#emptyBlocks = (1 << zeros) - 1 + reader.bits(zeros)
          return
        }
        place += 16
        continue
      }
      place += zeros
      if (place > end) throw new JpegError('A block has too many coefficients')
      coefficients[at + place++] = reader.value(size) << low
    }
  }

  readonly #nextAc = (one: ScanComponent, at: number): void => {
    const { start, end } = this.scan
    const place = this.#emptyBlocks > 0 ? start : this.#refinedUntil(one, at)
    if (this.#emptyBlocks === 0) return
    for (let rest = place; rest <= end; rest++) this.#refine(one.component.coefficients, at + rest)
    this.#emptyBlocks--
  }

  /** Reads new coefficients and refines existing ones; returns the position after which there are no new ones. */
  #refinedUntil({ component: { coefficients }, ac }: ScanComponent, at: number): number {
    const { reader } = this
    const { start, end, low } = this.scan
    const lookup = tableOf(ac)
    let place = start
    while (place <= end) {
      const symbol = reader.symbol(lookup)
      const size = symbol & 15
      let zeros = symbol >> 4
      let value = 0
      if (size === 0) {
        if (zeros < 15) {
          this.#emptyBlocks = (1 << zeros) + reader.bits(zeros)
          return place
        }
      } else value = reader.bits(1) === 1 ? 1 << low : -(1 << low)
      for (; place <= end; place++) {
        if ((coefficients[at + place] ?? 0) !== 0) this.#refine(coefficients, at + place)
        else if (zeros-- === 0) break
      }
      if (value !== 0) {
        if (place > end) throw new JpegError('A block has too many coefficients')
        coefficients[at + place] = value
      }
      place++
    }
    return place
  }

  #refine(coefficients: Int16Array, at: number): void {
    const value = coefficients[at] ?? 0
    if (value === 0 || this.reader.bits(1) === 0) return
    const bit = 1 << this.scan.low
    if ((Math.abs(value) & bit) === 0) coefficients[at] = value + (value > 0 ? bit : -bit)
  }
}

function tableOf(lookup: HuffmanLookup | undefined): HuffmanLookup {
  if (lookup === undefined) throw new JpegError('A scan uses a Huffman table that is missing')
  return lookup
}
