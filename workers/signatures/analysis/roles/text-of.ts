// Text strings (ISO 32000-2, 7.9.2.2), as far as names and values are compared.

import type { StrictValue } from '../../../strict-reader/values.js'
import { ofKind } from '../../../strict-reader/values-of.js'

/** Text of a string; undefined if the value is none. Characters of PDFDocEncoding beyond ASCII stay bytes. */
export function textOf(value: StrictValue | undefined): string | undefined {
  const string = ofKind(value, 'string')
  if (string === undefined) return undefined
  const bytes = Buffer.from(string.bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) {
    return Buffer.from(bytes.subarray(2, bytes.length - (bytes.length % 2)))
      .swap16()
      .toString('utf16le')
  }
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return bytes.subarray(3).toString('utf8')
  return bytes.toString('latin1')
}
