// Decodes text strings (ISO 32000-2, 7.9.2.2): UTF-16, UTF-8 or PDFDocEncoding.
import type { StrictValue } from '../../strict-reader/values.js'
import { ofKind } from '../../strict-reader/values-of.js'

/** Characters of PDFDocEncoding that differ from Latin 1 (annex D.3). */
const special: Readonly<Record<number, string>> = Object.fromEntries([
  ...[...'\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc'].map((character, index) => [0x18 + index, character]),
  ...[
    ...'\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d\u2018\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161\u017e',
  ].map((character, index) => [0x80 + index, character]),
  [0xa0, '\u20ac'],
])
/** Pattern of a language code in UTF-16 (7.9.2.2): text between two escape characters. */
const language = /\u001b[^\u001b]*\u001b/g

/** Text of characters that PDFDocEncoding shares with ASCII. */
const plain = /^[\t\n\r -~]*$/

/** Returns undefined for a value that is not a string. */
export function textOf(value: StrictValue | undefined): string | undefined {
  const bytes = ofKind(value, 'string')?.bytes
  return bytes && decoded(bytes)
}

function decoded(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return utf16('utf-16be', bytes.subarray(2))
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return utf16('utf-16le', bytes.subarray(2))
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return new TextDecoder().decode(bytes.subarray(3))
  // Names of fields are compared often.
  const text = Buffer.from(bytes).toString('latin1')
  return plain.test(text) ? text : Array.from(bytes, (code) => special[code] ?? String.fromCharCode(code)).join('')
}

const utf16 = (label: string, bytes: Uint8Array): string =>
  new TextDecoder(label, { ignoreBOM: true }).decode(bytes).replace(language, '')
