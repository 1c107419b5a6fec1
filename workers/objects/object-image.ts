// An object as bytes: exactly the text between `N G obj` and `endobj` in a file. A layer consists of the images of its
// changed objects; they do not depend on the library that wrote them.
import type { PDFObject } from 'mupdf'
import { withBytes } from '../engine/engine-memory.js'
import { withClosestReals, withLength } from './object-text.js'
import { entry, isStream, numberOf } from './values.js'

/** One object of a layer, as stored and as sent to a worker. */
export interface ObjectImage {
  readonly number: number
  /** Generation: 0 for objects created by a layer; objects of the uploaded file keep theirs. */
  readonly generation: number
  /** True if nothing refers to the object; it is stored for an undo and omitted from files that are sent. */
  readonly isHidden: boolean
  readonly body: Uint8Array
  /** True if the change altered only `isHidden`, so that a body that the layer stores already is still the right one. */
  readonly isBodyKept?: boolean
}

/** Number that stands for the trailer: a dictionary of the keys that differ from the base's (`/Info 12 0 R`). */
export const trailerNumber = 0

/**
 * Serialises an object without altering it, because the engine counts every altered object as changed. Images of
 * encrypted documents are unencrypted.
 */
export function imageBody(object: PDFObject, rewrite = (text: string): string => text): Uint8Array {
  const resolved = object.resolve()
  const text = (): string => rewrite(withClosestReals(resolved.toString(true, true)))
  if (!isStream(object)) return Buffer.from(text(), 'latin1')
  const buffer = object.readRawStream()
  try {
    const bytesLength = buffer.length
    // /Length may be an indirect object or wrong; the engine corrects it only when it saves.
    const length = entry(resolved, 'Length')
    const isRight = !length.isIndirect() && numberOf(length) === bytesLength
    const dictionary = isRight ? text() : withLength(text(), bytesLength)
    const begin = Buffer.from(`${dictionary}\nstream\n`, 'latin1')
    return withBytes(buffer, (bytes) => Buffer.concat([begin, bytes, streamEnd]))
  } finally {
    buffer.destroy()
  }
}

const streamEnd = Buffer.from('\nendstream', 'latin1')
