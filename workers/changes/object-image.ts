// An object as bytes: exactly what stands between `N G obj` and `endobj` in a file. Images of a layer's changed objects
// are all that a layer is; whatever library made them, they mean the same for ever.
import type { PDFObject } from 'mupdf'
import { isStream } from '../pdf/values.js'

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

/** `object` is resolved: the reference itself has no image. */
export function imageBody(object: PDFObject): Uint8Array {
  const resolved = object.resolve()
  if (!isStream(object)) return Buffer.from(resolved.toString(true, true), 'latin1')
  const buffer = object.readRawStream()
  try {
    const bytes = buffer.asUint8Array()
    const dictionary = withLength(resolved, bytes.length)
    return Buffer.concat([
      Buffer.from(`${dictionary}\nstream\n`, 'latin1'),
      bytes,
      Buffer.from('\nendstream', 'latin1'),
    ])
  } finally {
    buffer.destroy()
  }
}

/** The engine corrects /Length only when it saves. */
function withLength(dictionary: PDFObject, length: number): string {
  if (dictionary.get('Length').asNumber() !== length || dictionary.get('Length').isIndirect()) {
    dictionary.put('Length', length)
  }
  return dictionary.toString(true, true)
}
