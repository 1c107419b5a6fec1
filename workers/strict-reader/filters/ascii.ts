// The ASCII filters (ISO 32000-2, 7.4.2 and 7.4.3).
import { NotStrict } from '../strict-document.js'
import { codeOf, hexDigit, isSpace } from '../syntax/characters.js'

export function decodeAsciiHex(bytes: Uint8Array): Uint8Array {
  const digits: number[] = []
  for (const code of bytes) {
    if (code === codeOf('>')) break
    if (isSpace(code)) continue
    const digit = hexDigit(code)
    if (digit < 0) throw new NotStrict('ASCIIHexDecode: invalid character')
    digits.push(digit)
  }
  return Uint8Array.from(
    { length: Math.ceil(digits.length / 2) },
    (_, index) => (digits[2 * index] ?? 0) * 16 + (digits[2 * index + 1] ?? 0),
  )
}

export function decodeAscii85(bytes: Uint8Array): Uint8Array {
  const decoded: number[] = []
  let group: number[] = []
  for (const code of bytes) {
    if (code === codeOf('~')) break
    if (isSpace(code)) continue
    if (code === codeOf('z') && group.length === 0) {
      decoded.push(0, 0, 0, 0)
      continue
    }
    if (code < 0x21 || code > 0x75) throw new NotStrict('ASCII85Decode: invalid character')
    group.push(code - 0x21)
    if (group.length < 5) continue
    decoded.push(...bytesOf(group, 4))
    group = []
  }
  if (group.length === 1) throw new NotStrict('ASCII85Decode: the last group is incomplete')
  if (group.length > 1) decoded.push(...bytesOf([...group, 84, 84, 84].slice(0, 5), group.length - 1))
  return Uint8Array.from(decoded)
}

function bytesOf(group: readonly number[], count: number): readonly number[] {
  const value = group.reduce((sum, digit) => sum * 85 + digit, 0)
  if (value > 0xffffffff) throw new NotStrict('ASCII85Decode: a group is too large')
  return [24, 16, 8, 0].slice(0, count).map((shift) => Math.floor(value / 2 ** shift) & 0xff)
}
