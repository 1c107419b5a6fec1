// An object as bytes: exactly what stands between `N G obj` and `endobj` in a file. Images of a layer's changed objects
// are all that a layer is; whatever library made them, they mean the same for ever.
import type { PDFObject } from 'mupdf'
import { withBytes } from '../engine/engine-memory.js'
import { withClosestReals, withLength } from './object-text.js'
import { entry, isStream, numberOf } from './values.js'

/** One object of a layer, as it is stored and as it crosses to a worker. */
export interface ObjectImage {
  readonly number: number
  /** 0 for everything a layer made; an object of the uploaded file keeps the one it has there. */
  readonly generation: number
  /**
   * Nothing refers to it any more, but an undo may bring it back: it is kept for that, and is in no file that is sent.
   */
  readonly isHidden: boolean
  readonly body: Uint8Array
}

/** Number 0 stands for the trailer: a dictionary of the keys that differ from the base's (`/Info 12 0 R`). */
export const trailerNumber = 0

/**
 * Looked at, never altered: the engine counts every object it is told to change as changed. Of an encrypted document the
 * image is in the clear.
 */
export function imageBody(object: PDFObject, rewrite = (text: string): string => text): Uint8Array {
  const resolved = object.resolve()
  const text = (): string => rewrite(withClosestReals(resolved.toString(true, true)))
  if (!isStream(object)) return Buffer.from(text(), 'latin1')
  const buffer = object.readRawStream()
  try {
    const bytesLength = buffer.length
    // Files keep it in an object of its own, or wrong; the engine corrects it only when it saves.
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
