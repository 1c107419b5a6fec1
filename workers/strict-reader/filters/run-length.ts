// RunLengthDecode (ISO 32000-2, 7.4.5).
import { NotStrict } from '../strict-document.js'
import { Output } from './output.js'

export function decodeRunLength(bytes: Uint8Array): Uint8Array {
  const output = new Output()
  for (let at = 0; at < bytes.length; ) {
    const length = bytes[at] ?? 128
    if (length === 128) return output.bytes()
    const count = length < 128 ? length + 1 : 257 - length
    const end = length < 128 ? at + 1 + count : at + 2
    if (end > bytes.length) throw new NotStrict('RunLengthDecode: the data ends early')
    output.push(length < 128 ? bytes.subarray(at + 1, end) : new Uint8Array(count).fill(bytes[at + 1] ?? 0))
    at = end
  }
  return output.bytes()
}
