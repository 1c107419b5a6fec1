// Decodes small streams with a size limit; the engine itself would inflate a gigabyte of blanks.

import { constants, inflateSync } from 'node:zlib'
import type { PDFObject } from 'mupdf'
import { bytesOf } from '../engine/engine-memory.js'
import { orElse } from '../engine/trap.js'
import { lookUp } from './look-up.js'
import { elementsOf, entry, isArray, isMissing, isStream, nameOf } from './values.js'

/** Maximum number of filters of one stream. */
const filtersMax = 8

type Filter = (bytes: Uint8Array, bytesMax: number) => Uint8Array

const filters: Readonly<Record<string, Filter>> = { FlateDecode: inflate, Fl: inflate }

/**
 * Decodes a stream; undefined if the object is not a stream, decodes to more than `bytesMax`, or uses an unsupported
 * filter.
 */
export function streamBytes(object: PDFObject, bytesMax: number): Uint8Array | undefined {
  if (!isStream(object) || hasPredictor(entry(object, 'DecodeParms'))) return undefined
  const decode = filterOf(entry(object, 'Filter'))
  if (decode === undefined) return undefined
  return orElse(undefined, () => {
    const buffer = object.readRawStream()
    try {
      return buffer.length > bytesMax ? undefined : decode(bytesOf(buffer), bytesMax)
    } finally {
      buffer.destroy()
    }
  })
}

/** Returns the decoder of a filter. The engine has undone `Crypt` already. */
function filterOf(filter: PDFObject): Filter | undefined {
  if (isMissing(filter)) return unchanged
  const list = isArray(filter) ? [...elementsOf(filter, filtersMax)] : [filter]
  const [name, ...others] = list.map(nameOf).filter((filterName) => filterName !== 'Crypt')
  if (others.length > 0) return undefined
  return name === undefined ? unchanged : lookUp(filters, name)
}

const unchanged: Filter = (bytes) => bytes

function hasPredictor(parameters: PDFObject): boolean {
  const list = isArray(parameters) ? [...elementsOf(parameters, filtersMax)] : [parameters]
  return list.some((single) => !isMissing(entry(single, 'Predictor')))
}

/** Inflates a stream, as far as possible if it is truncated. Throws if the result exceeds the limit. */
function inflate(bytes: Uint8Array, bytesMax: number): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: bytesMax, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (cause) {
    throw new Error('The stream cannot be inflated', { cause })
  }
}
