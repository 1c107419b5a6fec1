// Reads a JPEG to coefficients (ITU-T T.81, annex B) instead of samples, so that unaltered blocks are written
// unchanged.
import type { HuffmanLookup } from './bit-reader.js'
import { lookupOf } from './huffman.js'
import { JpegError } from './jpeg-error.js'
import { blockSide, blockSize, type JpegComponent, type JpegPicture } from './jpeg-picture.js'
import { readScan } from './read-scan.js'

/** Maximum number of scans in a file: each one visits all blocks of a component. */
const scansMax = 100
/** Maximum number of coefficients of all components together, two bytes each. */
const coefficientsMax = 150_000_000

const codes = { app0: 0xe0, app14: 0xee, huffman: 0xc4, quantisation: 0xdb, restart: 0xdd, scan: 0xda, end: 0xd9 }
const [baseline, extended, progressive] = [0xc0, 0xc1, 0xc2]
const frames = new Set([baseline, extended, progressive])
/** Frame markers of lossless, hierarchical and arithmetic coding, which are not supported. */
const otherFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf, 0xcc])

/** Parses a JPEG. Throws `JpegError`. */
export const readJpeg = (bytes: Uint8Array): JpegPicture => new JpegReader(bytes).read()

class JpegReader {
  readonly #quantisations = new Map<number, Uint16Array>()
  readonly #lookups = new Map<number, HuffmanLookup>()
  readonly #selectors = new Map<JpegComponent, number>()
  readonly #read = new Set<JpegComponent>()
  #picture: JpegPicture | undefined
  #isProgressive = false
  #isJfif = false
  #adobeTransform: number | undefined
  #restartInterval = 0
  #scans = 0

  constructor(private readonly bytes: Uint8Array) {}

  read(): JpegPicture {
    let place = 2
    if (this.#word(0) !== 0xffd8) throw new JpegError('The data does not begin with a JPEG marker')
    for (;;) {
      while (this.#byte(place) === 0xff && this.#byte(place + 1) === 0xff) place++
      if (this.#byte(place) !== 0xff) throw new JpegError('A marker is missing')
      const code = this.#byte(place + 1)
      if (code === codes.end) break
      const length = this.#word(place + 2)
      const segment = this.bytes.subarray(place + 4, place + 2 + length)
      if (length < 2 || segment.length !== length - 2) throw new JpegError('A segment is cut off')
      place += 2 + length
      if (code === codes.scan) place = this.#scan(segment, place)
      else this.#segment(code, segment)
    }
    if (this.#picture === undefined || this.#picture.components.some((component) => !this.#read.has(component)))
      throw new JpegError('A component is missing')
    return this.#picture
  }

  #segment(code: number, segment: Uint8Array): void {
    const text = Buffer.from(segment.subarray(0, 5)).toString('latin1')
    if (frames.has(code)) this.#readFrame(segment, code === progressive)
    else if (otherFrames.has(code)) throw new JpegError('A JPEG is not coded sequentially or progressively')
    else if (code === codes.huffman) this.#readHuffman(segment)
    else if (code === codes.quantisation) this.#readQuantisation(segment)
    else if (code === codes.restart) this.#restartInterval = ((segment[0] ?? 0) << 8) | (segment[1] ?? 0)
    else if (code === codes.app0 && text === 'JFIF\0') this.#isJfif = true
    else if (code === codes.app14 && text === 'Adobe') this.#adobeTransform = segment[11] ?? 0
  }

  #readQuantisation(segment: Uint8Array): void {
    for (let place = 0; place < segment.length; ) {
      const [precision, id] = [(segment[place] ?? 0) >> 4, (segment[place] ?? 0) & 15]
      place++
      const size = precision === 0 ? 1 : 2
      const table = new Uint16Array(blockSize)
      for (let one = 0; one < blockSize; one++, place += size)
        table[one] = size === 1 ? (segment[place] ?? 0) : ((segment[place] ?? 0) << 8) | (segment[place + 1] ?? 0)
      if (table.includes(0)) throw new JpegError('A quantisation table has a zero')
      this.#quantisations.set(id, table)
    }
  }

  #readHuffman(segment: Uint8Array): void {
    for (let place = 0; place < segment.length; ) {
      const id = segment[place++] ?? 0
      const counts = [...segment.subarray(place, place + 16)]
      const total = counts.reduce((sum, count) => sum + count, 0)
      const symbols = [...segment.subarray(place + 16, place + 16 + total)]
      if (counts.length < 16 || symbols.length < total) throw new JpegError('A Huffman table is cut off')
      this.#lookups.set(id, lookupOf({ counts, symbols }))
      place += 16 + total
    }
  }

  #readFrame(segment: Uint8Array, isProgressive: boolean): void {
    const [precision = 0, high = 0, low = 0, highWide = 0, lowWide = 0, count = 0] = segment
    const [height, width] = [(high << 8) | low, (highWide << 8) | lowWide]
    if (this.#picture !== undefined || precision !== 8 || width === 0 || height === 0 || count === 0 || count > 4)
      throw new JpegError('A frame is not of a supported kind')
    const factors = Array.from({ length: count }, (_, index) => {
      const [id = 0, sampling = 0, selector = 0] = segment.subarray(6 + 3 * index)
      return { id, horizontal: sampling >> 4, vertical: sampling & 15, selector }
    })
    if (factors.some(({ horizontal, vertical }) => [horizontal, vertical].some((one) => one < 1 || one > 4)))
      throw new JpegError('A sampling factor is not allowed')
    const horizontalMax = Math.max(...factors.map(({ horizontal }) => horizontal))
    const verticalMax = Math.max(...factors.map(({ vertical }) => vertical))
    const unitsWide = Math.ceil(width / (blockSide * horizontalMax))
    const unitsHigh = Math.ceil(height / (blockSide * verticalMax))
    const blocks = factors.reduce((sum, one) => sum + unitsWide * one.horizontal * unitsHigh * one.vertical, 0)
    if (blocks * blockSize > coefficientsMax) throw new JpegError('A JPEG is too large')
    const components = factors.map(({ id, horizontal, vertical, selector }) => {
      const [blocksPerRow, blockRows] = [unitsWide * horizontal, unitsHigh * vertical]
      const component = {
        id,
        horizontal,
        vertical,
        blocksPerRow,
        blockRows,
        blocksWide: Math.ceil(Math.ceil((width * horizontal) / horizontalMax) / blockSide),
        blocksHigh: Math.ceil(Math.ceil((height * vertical) / verticalMax) / blockSide),
        coefficients: new Int16Array(blocksPerRow * blockRows * blockSize),
        quantisation: new Uint16Array(blockSize),
      }
      this.#selectors.set(component, selector)
      return component
    })
    this.#isProgressive = isProgressive
    const [isJfif, adobeTransform] = [this.#isJfif, this.#adobeTransform]
    const size = { width, height, unitsWide, unitsHigh, horizontalMax, verticalMax }
    this.#picture = { ...size, components, isJfif, adobeTransform }
  }

  /** Reads a scan and returns the offset of its end. */
  #scan(segment: Uint8Array, from: number): number {
    const picture = this.#picture
    if (picture === undefined) throw new JpegError('A scan precedes its frame')
    if (++this.#scans > scansMax) throw new JpegError('A JPEG has too many scans')
    const count = segment[0] ?? 0
    const components = Array.from({ length: count }, (_, index) => {
      const [id, tables = 0] = segment.subarray(1 + 2 * index)
      const component = picture.components.find((one) => one.id === id)
      if (component === undefined) throw new JpegError('A scan has an unknown component')
      this.#begin(component)
      return { component, dc: this.#lookups.get(tables >> 4), ac: this.#lookups.get(0x10 | (tables & 15)) }
    })
    const [start = 0, end = 0, approximation = 0] = segment.subarray(1 + 2 * count)
    const isProgressive = this.#isProgressive
    const isWrong = start > end || end >= blockSize || (start > 0 && count !== 1)
    if (count < 1 || count > 4 || (isProgressive && isWrong)) throw new JpegError('A scan is not of a supported kind')
    const scan = { components, isProgressive, start, end, high: approximation >> 4, low: approximation & 15 }
    return readScan(picture, { ...scan, restartInterval: this.#restartInterval }, this.bytes, from)
  }

  /** Assigns the current quantisation table: tables that follow apply to later components. */
  #begin(component: JpegComponent): void {
    if (this.#read.has(component)) return
    this.#read.add(component)
    const table = this.#quantisations.get(this.#selectors.get(component) ?? 0)
    if (table === undefined) throw new JpegError('A quantisation table is missing')
    component.quantisation = table
  }

  #byte(place: number): number {
    return this.bytes[place] ?? 0
  }

  #word(place: number): number {
    return (this.#byte(place) << 8) | this.#byte(place + 1)
  }
}
