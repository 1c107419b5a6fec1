// Decodes strings of an FDF (ISO 32000-2, table 246): one that begins with a byte order mark states its encoding, others
// have that of /Encoding, by default PDFDocEncoding.
import { JobRefusal } from '../../contract/job-refusal.js'
import { textOf } from '../../signatures/reading/text-string.js'
import { shown } from '../exchange-limits.js'

/** Returns undefined for bytes that are no text in the encoding. */
export type DecodeString = (bytes: Uint8Array) => string | undefined

/** Labels by the names of encodings, in small letters and without punctuation, because programs differ in it. */
const labels: Readonly<Record<string, string>> = {
  utf8: 'utf-8',
  utf16: 'utf-16be',
  shiftjis: 'shift_jis',
  bigfive: 'big5',
  big5: 'big5',
  gbk: 'gbk',
  uhc: 'euc-kr',
}

/** Throws `InvalidArg` for an unknown encoding, in which every value could be wrong. */
export function stringDecoder(encoding: string | undefined): DecodeString {
  const asText: DecodeString = (bytes) => textOf({ kind: 'string', bytes })
  const name = (encoding ?? 'PDFDocEncoding').toLowerCase().replace(/[^a-z0-9]/g, '')
  if (name === 'pdfdocencoding' || name === '') return asText
  const label = Object.hasOwn(labels, name) ? labels[name] : undefined
  if (label === undefined) {
    const known = 'Shift-JIS, BigFive, GBK, UHC, utf-8 and utf-16'
    throw new JobRefusal('InvalidArg', `The FDF has the encoding ${shown(encoding ?? '')}; known are ${known}`)
  }
  const decoder = new TextDecoder(label, { fatal: true })
  return (bytes) => {
    if (hasMark(bytes)) return asText(bytes)
    try {
      return decoder.decode(bytes)
    } catch {
      return undefined
    }
  }
}

const marks: readonly (readonly number[])[] = [
  [0xfe, 0xff],
  [0xff, 0xfe],
  [0xef, 0xbb, 0xbf],
]

const hasMark = (bytes: Uint8Array): boolean => marks.some((mark) => mark.every((byte, place) => bytes[place] === byte))
