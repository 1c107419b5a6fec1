// LZWDecode (ISO 32000-2, 7.4.4).
import { NotStrict } from '../strict-document.js'
import { Output } from './output.js'

const [clear, endOfData, firstFree, codesMax] = [256, 257, 258, 4096]

export function decodeLzw(bytes: Uint8Array, earlyChange: number): Uint8Array {
  const output = new Output()
  const singles = Array.from({ length: 256 }, (_, code) => Uint8Array.of(code))
  let table: Uint8Array[] = []
  let previous: Uint8Array | undefined
  // State: the width of codes, and bits that were read but not decoded yet.
  let [width, buffer, bits] = [9, 0, 0]
  for (const byte of bytes) {
    buffer = ((buffer << 8) | byte) & 0xfffff
    bits += 8
    if (bits < width) continue
    bits -= width
    const code = (buffer >> bits) & ((1 << width) - 1)
    if (code === endOfData) return output.bytes()
    if (code === clear) {
      table = []
      previous = undefined
      width = 9
      continue
    }
    const known = code < 256 ? singles[code] : table[code - firstFree]
    const repeated = known ?? (code === firstFree + table.length ? previous : undefined)
    if (repeated === undefined) throw new NotStrict('LZWDecode: a code is unknown')
    if (previous !== undefined && firstFree + table.length < codesMax) {
      const longer = new Uint8Array(previous.length + 1)
      longer.set(previous)
      longer[previous.length] = repeated[0] ?? 0
      table.push(longer)
    }
    const entry = known ?? table[code - firstFree]
    if (entry === undefined) throw new NotStrict('LZWDecode: a code is unknown')
    output.push(entry)
    previous = entry
    const next = firstFree + table.length + earlyChange
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9
  }
  return output.bytes()
}
