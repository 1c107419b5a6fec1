// Reads the values of primitive elements.
import { Asn1Error, childrenOf, contentOf, depthMax, type Element, isUniversal, tags } from './element.js'

export function oidOf(element: Element | undefined): string {
  if (!isUniversal(element, tags.oid)) throw new Asn1Error('an object identifier is expected')
  return oidFrom(contentOf(element))
}

function oidFrom(bytes: Uint8Array): string {
  const last = bytes[bytes.length - 1]
  if (last === undefined || last >= 128 || bytes.length > 64) throw new Asn1Error('a malformed object identifier')
  const arcs: bigint[] = []
  let arc = 0n
  for (const byte of bytes) {
    arc = arc * 128n + BigInt(byte & 127)
    if (byte >= 128) continue
    arcs.push(arc)
    arc = 0n
  }
  const [first = 0n, ...others] = arcs
  const root = first < 80n ? first / 40n : 2n
  return [root, first - root * 40n, ...others].join('.')
}

/** Returns an integer in lower-case hex, two digits a byte, without leading zero bytes. */
export function integerHex(element: Element | undefined): string {
  if (!isUniversal(element, tags.integer)) throw new Asn1Error('an integer is expected')
  const bytes = contentOf(element)
  if (bytes.length === 0) throw new Asn1Error('an integer without digits')
  const from = bytes.findIndex((byte) => byte !== 0)
  return Buffer.from(from < 0 ? bytes.subarray(0, 1) : bytes.subarray(from)).toString('hex')
}

/** Returns an integer or enumerated value from 0 to 2^31 - 1. */
export function smallInteger(element: Element): number {
  const bytes = contentOf(element)
  if (bytes.length === 0 || bytes.length > 4 || (bytes[0] ?? 0) >= 128) throw new Asn1Error('an integer out of range')
  return bytes.reduce((value, byte) => value * 256 + byte, 0)
}

export function booleanOf(element: Element): boolean {
  const [byte, ...others] = contentOf(element)
  if (byte === undefined || others.length > 0) throw new Asn1Error('a malformed boolean')
  return byte !== 0
}

/** Returns the bytes of an octet string, which BER may split; the caller has checked the tag. */
export function octetsOf(element: Element, depth = 0): Uint8Array {
  if (!element.isConstructed) return contentOf(element)
  if (depth > depthMax) throw new Asn1Error('elements are nested too deeply')
  const pieces = childrenOf(element)
  if (!pieces.every((piece) => isUniversal(piece, tags.octetString))) throw new Asn1Error('a malformed octet string')
  return Buffer.concat(pieces.map((piece) => octetsOf(piece, depth + 1)))
}

/** Returns the bytes of a bit string that consists of whole bytes. */
export function bytesOfBits(element: Element): Uint8Array {
  const bytes = contentOf(element)
  if (element.isConstructed || bytes[0] !== 0) throw new Asn1Error('a bit string without whole bytes')
  return bytes.subarray(1)
}

/** Returns the numbers of the bits that are set in a bit string of up to 32 bits. */
export function bitsOf(element: Element): ReadonlySet<number> {
  const [unused, ...bytes] = contentOf(element)
  if (element.isConstructed || unused === undefined || unused > 7 || bytes.length > 4)
    throw new Asn1Error('a malformed bit string')
  const bits = bytes.flatMap((byte, index) =>
    [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => (byte & (128 >> bit)) !== 0).map((bit) => index * 8 + bit),
  )
  return new Set(bits)
}

const utc = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(Z|[+-]\d{4})$/
const generalized = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:[.,](\d+))?(Z|[+-]\d{4})$/

export function timeOf(element: Element | undefined): Date {
  if (isUniversal(element, tags.utcTime)) {
    const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', zone = ''] =
      utc.exec(asciiOf(element)) ?? []
    const century = Number(year) < 50 ? '20' : '19'
    return dateOf(`${century}${year}-${month}-${day}T${hour}:${minute}:${second}`, zone)
  }
  if (isUniversal(element, tags.generalizedTime)) {
    const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = '0', zone = ''] =
      generalized.exec(asciiOf(element)) ?? []
    return dateOf(`${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3)}`, zone)
  }
  throw new Asn1Error('a time is expected')
}

function dateOf(text: string, zone: string): Date {
  const date = new Date(`${text}${zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3)}`}`)
  if (Number.isNaN(date.getTime())) throw new Asn1Error('a malformed time')
  return date
}

const asciiOf = (element: Element): string => Buffer.from(contentOf(element)).toString('latin1')

const decoders: Readonly<Record<number, (bytes: Uint8Array) => string>> = {
  12: (bytes) => Buffer.from(bytes).toString('utf8'),
  // Tags of NumericString, PrintableString, TeletexString (in practice Latin-1), IA5String and VisibleString.
  18: latin1,
  19: latin1,
  20: latin1,
  22: latin1,
  26: latin1,
  30: (bytes) => new TextDecoder('utf-16be').decode(bytes),
}

/** Returns the text of a string element; undefined for other elements. */
export function textOf(element: Element): string | undefined {
  if (element.tagClass !== 'universal' || element.isConstructed) return undefined
  return decoders[element.tag]?.(contentOf(element))
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}
