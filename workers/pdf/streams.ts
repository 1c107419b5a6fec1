// Small streams as text, with a bound on what they inflate to: the engine itself would inflate a gigabyte of blanks.
import { constants, inflateSync } from 'node:zlib'
import type { PDFObject } from 'mupdf'
import { lookUp } from './look-up.js'
import { orElse } from './trap.js'
import { entry, isMissing, isStream, nameOf } from './values.js'

type Filter = (bytes: Uint8Array, bytesMax: number) => Uint8Array

const filters: Readonly<Record<string, Filter>> = { FlateDecode: inflate, Fl: inflate }

/** Undefined = no stream, larger than `bytesMax`, or under a filter that is not undone here. */
export function streamBytes(object: PDFObject, bytesMax: number): Uint8Array | undefined {
  if (!isStream(object) || !isMissing(entry(object, 'DecodeParms', 'Predictor'))) return undefined
  const decode = filterOf(entry(object, 'Filter'))
  if (decode === undefined) return undefined
  return orElse(undefined, () => {
    const buffer = object.readRawStream()
    try {
      return buffer.length > bytesMax ? undefined : decode(buffer.asUint8Array().slice(), bytesMax)
    } finally {
      buffer.destroy()
    }
  })
}

function filterOf(filter: PDFObject): Filter | undefined {
  const length = !filter.isNull() && filter.isArray() ? filter.length : undefined
  if (isMissing(filter) || length === 0) return (bytes) => bytes
  if (length !== undefined && length > 1) return undefined
  const name = nameOf(length === 1 ? entry(filter, 0) : filter)
  return lookUp(filters, name)
}

/** A stream that was cut off gives what there is. Anything that inflates further than the bound throws. */
function inflate(bytes: Uint8Array, bytesMax: number): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (cause) {
    throw new Error('The stream cannot be inflated', { cause })
  }
}
