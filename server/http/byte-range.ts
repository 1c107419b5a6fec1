// Parses a `Range` header with one byte range (RFC 9110, 14). Several ranges, other units and malformed headers mean
// the whole file, as the standard allows; a range beyond the end is refused. The package range-parser would replace
// only the expression below and leave these decisions here.
import { Refusal } from '../refusals/refusal.js'
import type { ByteRange } from '../storage/blobs.js'

export function byteRangeOf(header: string | undefined, sizeBytes: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  const range =
    first === ''
      ? { first: Math.max(0, sizeBytes - Number(last)), last: sizeBytes - 1 }
      : { first: Number(first), last: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) }
  // A range whose end precedes its start is invalid, so the header is ignored.
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  if (range.first >= sizeBytes || range.last < range.first) {
    throw new Refusal('RangeNotSatisfiable', `The file has ${sizeBytes} bytes`, {
      details: { sizeBytes },
      headers: { 'Content-Range': `bytes */${sizeBytes}` },
    })
  }
  return range
}
