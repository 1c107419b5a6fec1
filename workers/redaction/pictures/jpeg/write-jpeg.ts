// Writes the coefficients of a JPEG as one sequential scan (ITU-T T.81, annexes B and F.1), with only those headers
// that determine the colour coding: previews and metadata of cameras and programs are omitted.
import { encodingOf, type HuffmanTable, tableFor } from './huffman.js'
import { JpegError } from './jpeg-error.js'
import { blockSize, type JpegComponent, type JpegPicture } from './jpeg-picture.js'

/** Maximum number of blocks in one unit (B.2.3). */
const unitBlocksMax = 10

/** Serialises a picture. Throws `JpegError`. */
export function writeJpeg(picture: JpegPicture): Buffer {
  const blocks = picture.components.reduce((sum, { horizontal, vertical }) => sum + horizontal * vertical, 0)
  const single = picture.components.length === 1
  if (!single && blocks > unitBlocksMax) throw new JpegError('A unit has too many blocks')
  const counter = new SymbolCounter()
  encode(picture, counter)
  const tables = counter.frequencies.map(tableFor)
  const writer = new BitWriter(tables)
  encode(picture, writer)
  return Buffer.concat([header(picture, tables), writer.bytes(), Buffer.from([0xff, 0xd9])])
}

/** Returns the table index; the first two tables are those of luminance. */
const tableIndex = (component: number, isAc: boolean): number => (component === 0 ? 0 : 2) + (isAc ? 1 : 0)

function header({ width, height, components, isJfif, adobeTransform }: JpegPicture, tables: readonly HuffmanTable[]) {
  const word = (value: number): readonly number[] => [value >> 8, value & 0xff]
  const segment = (code: number, body: readonly number[]) => [0xff, code, ...word(body.length + 2), ...body]
  const ascii = (text: string): readonly number[] => [...Buffer.from(text, 'latin1')]
  const isWide = components.some(({ quantisation }) => quantisation.some((value) => value > 0xff))
  const bytes = [0xff, 0xd8]
  if (isJfif) bytes.push(...segment(0xe0, [...ascii('JFIF\0'), 1, 2, 0, 0, 1, 0, 1, 0, 0]))
  if (adobeTransform !== undefined)
    bytes.push(...segment(0xee, [...ascii('Adobe'), 0, 100, 0, 0, 0, 0, adobeTransform]))
  for (const [index, { quantisation }] of components.entries()) {
    const values = [...quantisation].flatMap((value) => (isWide ? word(value) : [value]))
    bytes.push(...segment(0xdb, [(isWide ? 0x10 : 0) | index, ...values]))
  }
  const frame = components.flatMap(({ id, horizontal, vertical }, index) => [id, (horizontal << 4) | vertical, index])
  bytes.push(...segment(isWide ? 0xc1 : 0xc0, [8, ...word(height), ...word(width), components.length, ...frame]))
  for (const [index, { counts, symbols }] of tables.entries()) {
    if (symbols.length > 0) bytes.push(...segment(0xc4, [((index & 1) << 4) | (index >> 1), ...counts, ...symbols]))
  }
  const scan = components.flatMap(({ id }, index) => [id, index === 0 ? 0 : 0x11])
  bytes.push(...segment(0xda, [components.length, ...scan, 0, 63, 0]))
  return Buffer.from(bytes)
}

interface Sink {
  put(table: number, symbol: number, value: number, size: number): void
}

function encode(picture: JpegPicture, sink: Sink): void {
  const { components, unitsWide, unitsHigh } = picture
  const [only] = components
  const last = [0, 0, 0, 0]
  const put = (component: JpegComponent, index: number, block: number): void => {
    const { coefficients } = component
    const at = block * blockSize
    const value = coefficients[at] ?? 0
    putDc(sink, tableIndex(index, false), value - (last[index] ?? 0))
    last[index] = value
    putAc(sink, tableIndex(index, true), coefficients, at)
  }
  if (components.length === 1 && only !== undefined) {
    for (let row = 0; row < only.blocksHigh; row++)
      for (let column = 0; column < only.blocksWide; column++) put(only, 0, row * only.blocksPerRow + column)
    return
  }
  for (let row = 0; row < unitsHigh; row++) {
    for (let column = 0; column < unitsWide; column++) {
      for (const [index, component] of components.entries()) {
        const { horizontal, vertical, blocksPerRow } = component
        for (let y = 0; y < vertical; y++)
          for (let x = 0; x < horizontal; x++)
            put(component, index, (row * vertical + y) * blocksPerRow + column * horizontal + x)
      }
    }
  }
}

const sizeOf = (value: number): number => 32 - Math.clz32(Math.abs(value))
/** Bits of a value: negative values are stored minus one, without their sign. */
const bitsOf = (value: number): number => (value < 0 ? value - 1 : value)

function putDc(sink: Sink, table: number, difference: number): void {
  const size = sizeOf(difference)
  if (size > 11) throw new JpegError('A coefficient is too large')
  sink.put(table, size, bitsOf(difference), size)
}

function putAc(sink: Sink, table: number, coefficients: Int16Array, at: number): void {
  let zeros = 0
  for (let place = 1; place < blockSize; place++) {
    const value = coefficients[at + place] ?? 0
    if (value === 0) {
      zeros++
      continue
    }
    for (; zeros > 15; zeros -= 16) sink.put(table, 0xf0, 0, 0)
    const size = sizeOf(value)
    if (size > 10) throw new JpegError('A coefficient is too large')
    sink.put(table, (zeros << 4) | size, bitsOf(value), size)
    zeros = 0
  }
  if (zeros > 0) sink.put(table, 0, 0, 0)
}

class SymbolCounter implements Sink {
  readonly frequencies = Array.from({ length: 4 }, () => new Float64Array(256))

  put(table: number, symbol: number): void {
    const counts = this.frequencies[table]
    if (counts !== undefined) counts[symbol] = (counts[symbol] ?? 0) + 1
  }
}

class BitWriter implements Sink {
  readonly #codes: readonly ReturnType<typeof encodingOf>[]
  #bytes = Buffer.allocUnsafe(1 << 20)
  #length = 0
  #window = 0
  #used = 0

  constructor(tables: readonly HuffmanTable[]) {
    this.#codes = tables.map(encodingOf)
  }

  put(table: number, symbol: number, value: number, size: number): void {
    const encoding = this.#codes[table]
    if (encoding === undefined) return
    this.#bits(encoding.codes[symbol] ?? 0, encoding.lengths[symbol] ?? 0)
    if (size > 0) this.#bits(value & ((1 << size) - 1), size)
  }

  /** Returns the written bytes; the last one is padded with ones. */
  bytes(): Buffer {
    if (this.#used > 0) this.#bits((1 << (8 - this.#used)) - 1, 8 - this.#used)
    return this.#bytes.subarray(0, this.#length)
  }

  #bits(value: number, count: number): void {
    this.#window = (this.#window << count) | value
    this.#used += count
    while (this.#used >= 8) {
      this.#used -= 8
      this.#byte((this.#window >>> this.#used) & 0xff)
    }
    this.#window &= (1 << this.#used) - 1
  }

  #byte(byte: number): void {
    if (this.#length + 2 > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.allocUnsafe(this.#bytes.length)])
    this.#bytes[this.#length++] = byte
    if (byte === 0xff) this.#bytes[this.#length++] = 0
  }
}
