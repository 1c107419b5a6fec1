// Divides shown strings into character codes, by the code space of their font (ISO 32000-2, 9.7.6.2): one byte in a
// simple font, as many as a character map says in a composite one.
import type { PDFObject } from 'mupdf'
import { operatorsOf } from '../../content/operators.js'
import { decodedBytes } from '../../engine/engine-memory.js'
import { orElse } from '../../engine/trap.js'
import { entry, isStream, nameOf } from '../../objects/values.js'

/** Codes of `length` bytes from `low` to `high`. */
interface CodeRange {
  readonly length: number
  readonly low: number
  readonly high: number
}

export type CodeSpace = readonly CodeRange[]

export interface ShownCode {
  readonly bytes: readonly number[]
  /** True for a code to which word spacing applies (9.3.3). */
  readonly isSpace: boolean
}

const oneByte: CodeSpace = [{ length: 1, low: 0, high: 0xff }]
const twoBytes: CodeSpace = [{ length: 2, low: 0, high: 0xffff }]

const parsed = (ranges: string): CodeSpace =>
  ranges.split(' ').map((range) => {
    const [low = '', high = ''] = range.split('-')
    return { length: low.length / 2, low: Number.parseInt(low, 16), high: Number.parseInt(high, 16) }
  })

/** Code spaces of the predefined character maps (table 116) whose codes are not all of two bytes. */
const predefined: readonly (readonly [RegExp, CodeSpace])[] = [
  [/^(?:GB-EUC|KSC-EUC)-/, parsed('00-80 A1A1-FEFE')],
  [/^GBpc-EUC-/, parsed('00-80 A1A1-FCFE FD-FF')],
  [/^(?:GBK-EUC|GBKp-EUC)-/, parsed('00-80 8140-FEFE')],
  [/^GBK2K-/, parsed('00-7F 81308130-FE39FE39 8140-FEFE')],
  [/^B5pc-/, parsed('00-80 A140-FCFE FD-FF')],
  [/^HKscs-B5-/, parsed('00-80 8740-FEFE')],
  [/^ETe/, parsed('00-80 A140-FEFE')],
  [/^CNS-EUC-/, parsed('00-80 8EA1A1A1-8EA7FEFE A1A1-FEFE')],
  [/^(?:83pv|90pv)-RKSJ-/, parsed('00-80 8140-9FFC A0-DF E040-FCFC FD-FF')],
  [/^(?:90ms|90msp|Add|Ext)-RKSJ-/, parsed('00-80 8140-9FFC A0-DF E040-FCFC')],
  [/^EUC-/, parsed('00-80 8EA0-8EDF A1A1-FEFE')],
  [/^KSCms-UHC-/, parsed('00-80 8141-FEFE')],
  [/^KSCpc-EUC-/, parsed('00-84 A141-FDFE FE-FF')],
  [/UTF16-/, parsed('0000-D7FF D800DC00-DBFFDFFF E000-FFFF')],
]

/** Maximum number of maps that build upon each other, and of ranges in one. */
const depthMax = 8
const rangesMax = 1_000

export function codeSpaceOf(font: PDFObject): CodeSpace {
  return nameOf(entry(font, 'Subtype')) === 'Type0' ? spaceOf(entry(font, 'Encoding'), 0) : oneByte
}

function spaceOf(map: PDFObject, depth: number): CodeSpace {
  if (depth > depthMax) return []
  const name = nameOf(map)
  if (name !== undefined) return namedSpace(name)
  if (!isStream(map)) return twoBytes
  const text = orElse('', () => decodedBytes(map).toString('latin1'))
  const own = rangesIn(text)
  const other = entry(map, 'UseCMap')
  const used = /\/([^\s/]+)\s+usecmap/.exec(text)?.[1]
  const base = other.isNull() ? (used === undefined ? [] : namedSpace(used)) : spaceOf(other, depth + 1)
  return [...own, ...base]
}

const namedSpace = (name: string): CodeSpace => predefined.find(([pattern]) => pattern.test(name))?.[1] ?? twoBytes

function rangesIn(text: string): CodeSpace {
  const ranges: CodeRange[] = []
  for (const { name, operands } of operatorsOf(text)) {
    if (name !== 'endcodespacerange') continue
    for (let place = 0; place + 1 < operands.length && ranges.length < rangesMax; place += 2) {
      const [low = '', high = ''] = operands.slice(place, place + 2).map((one) => one.replace(/[^0-9A-Fa-f]/g, ''))
      const range = { length: low.length / 2, low: Number.parseInt(low, 16), high: Number.parseInt(high, 16) }
      if (range.length >= 1 && range.length <= 4) ranges.push(range)
    }
  }
  return ranges
}

/** Yields the codes. Bytes that are in no range are codes of one byte each. */
export function* codesIn(bytes: readonly number[], space: CodeSpace): Generator<ShownCode> {
  for (let at = 0; at < bytes.length; ) {
    const length = lengthAt(bytes, at, space)
    const code = bytes.slice(at, at + length)
    yield { bytes: code, isSpace: length === 1 && code[0] === 0x20 }
    at += length
  }
}

function lengthAt(bytes: readonly number[], at: number, space: CodeSpace): number {
  let code = 0
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    code = code * 256 + (bytes[at + length - 1] ?? 0)
    if (space.some((range) => range.length === length && code >= range.low && code <= range.high)) return length
  }
  return 1
}
