// The only module that reads WebAssembly memory. The memory is reallocated whenever the engine grows it, which any call
// may cause; existing views are then empty without an error. Therefore bytes are copied, or passed to a callback that
// must not call the engine; using a detached or retained view throws an error.
import type { Buffer as EngineBuffer, PDFDocument, PDFObject, Pixmap } from 'mupdf'
import { raw } from './library.js'

/** Copies the contents of a buffer. */
export const bytesOf = (buffer: EngineBuffer): Buffer => withBytes(buffer, (bytes) => Buffer.from(bytes))

/** Passes the bytes in place to a callback, which must not call the engine. */
export function withBytes<Answer>(buffer: EngineBuffer, use: (bytes: Uint8Array) => Answer): Answer {
  const length = buffer.length
  return lent(buffer.asUint8Array(), length, use)
}

/** Copies a stream as stored, still encoded by its filters. */
export const storedBytes = (stream: PDFObject): Buffer => closing(stream.readRawStream(), bytesOf)

/** Copies a decoded stream without a size limit; for untrusted sizes see `streams.ts`. */
export const decodedBytes = (stream: PDFObject): Buffer => closing(stream.readStream(), bytesOf)

/** Copies the document as the engine saves it. */
export const savedBytes = (pdf: PDFDocument, options: string): Buffer =>
  withSavedBytes(pdf, options, (bytes) => Buffer.from(bytes))

/** Passes the saved document in place to a callback; see `withBytes`. */
export const withSavedBytes = <Answer>(pdf: PDFDocument, options: string, use: (bytes: Uint8Array) => Answer): Answer =>
  closing(pdf.saveToBuffer(options), (buffer) => withBytes(buffer, use))

/** Pixels of a pixmap: rows of `stride` bytes each. */
export interface Pixels {
  readonly samples: Uint8ClampedArray
  readonly width: number
  readonly height: number
  readonly stride: number
  /** Bytes per pixel, alpha included. */
  readonly components: number
  readonly hasAlpha: boolean
}

/** Passes the pixels in place to a callback, which must not call the engine. */
export function withPixels<Answer>(pixmap: Pixmap, use: (pixels: Pixels) => Answer): Answer {
  const shape = shapeOf(pixmap)
  return lent(pixmap.getPixels(), shape.stride * shape.height, (samples) => use({ ...shape, samples }))
}

/** Same as `withPixels` until the promise settles. Meanwhile no other task may use the engine of this thread. */
export async function withPixelsUntil<Answer>(
  pixmap: Pixmap,
  use: (pixels: Pixels) => Promise<Answer>,
): Promise<Answer> {
  const shape = shapeOf(pixmap)
  const samples = pixmap.getPixels()
  const answer = await use({ ...shape, samples })
  refuseMoved(samples, shape.stride * shape.height)
  return answer
}

function shapeOf(pixmap: Pixmap): Omit<Pixels, 'samples'> {
  return {
    width: pixmap.getWidth(),
    height: pixmap.getHeight(),
    stride: pixmap.getStride(),
    components: pixmap.getNumberOfComponents(),
    hasAlpha: pixmap.getAlpha() !== 0,
  }
}

function lent<View extends ArrayBufferView, Answer>(view: View, length: number, use: (view: View) => Answer): Answer {
  refuseMoved(view, length)
  const answer = use(view)
  refuseMoved(view, length)
  if (ArrayBuffer.isView(answer) && answer.buffer === raw.HEAPU8.buffer) {
    throw new Error('A view of engine memory was retained after its use')
  }
  return answer
}

/** Throws an error if memory moved: a detached view has length zero. */
function refuseMoved(view: ArrayBufferView, length: number): void {
  if (view.byteLength !== length) throw new Error('The memory of the engine moved while it was read')
}

function closing<Answer>(buffer: EngineBuffer, use: (buffer: EngineBuffer) => Answer): Answer {
  try {
    return use(buffer)
  } finally {
    buffer.destroy()
  }
}
