// The only place that reads WebAssembly memory. It moves whenever the engine needs more of it, which any call may cause: a
// view from before is then empty, without an error. So bytes leave as copies, or are lent to a callback that makes no call
// into the engine; a view that was detached, or that the callback kept, is an error.
import type { Buffer as EngineBuffer, PDFDocument, PDFObject, Pixmap } from 'mupdf'
import { raw } from './library.js'

/** A copy. */
export const bytesOf = (buffer: EngineBuffer): Buffer => withBytes(buffer, (bytes) => Buffer.from(bytes))

/** The bytes in place, for as long as the callback runs; it must not call the engine. */
export function withBytes<Answer>(buffer: EngineBuffer, use: (bytes: Uint8Array) => Answer): Answer {
  const length = buffer.length
  return lent(buffer.asUint8Array(), length, use)
}

/** A copy of a stream as it is stored, under its filters. */
export const storedBytes = (stream: PDFObject): Buffer => closing(stream.readRawStream(), bytesOf)

/** A copy of a stream without its filters; not bounded, see `streams.ts` for what a file may make large. */
export const decodedBytes = (stream: PDFObject): Buffer => closing(stream.readStream(), bytesOf)

/** A copy of the document as the engine saves it. */
export const savedBytes = (pdf: PDFDocument, options: string): Buffer =>
  withSavedBytes(pdf, options, (bytes) => Buffer.from(bytes))

/** The document as the engine saves it, in place; see `withBytes`. */
export const withSavedBytes = <Answer>(pdf: PDFDocument, options: string, use: (bytes: Uint8Array) => Answer): Answer =>
  closing(pdf.saveToBuffer(options), (buffer) => withBytes(buffer, use))

/** What is needed to find a pixel: they stand row by row, `stride` bytes each. */
export interface Pixels {
  readonly samples: Uint8ClampedArray
  readonly width: number
  readonly height: number
  readonly stride: number
  /** Bytes of a pixel, alpha included. */
  readonly components: number
  readonly hasAlpha: boolean
}

/** The pixels in place, for as long as the callback runs; it must not call the engine. */
export function withPixels<Answer>(pixmap: Pixmap, use: (pixels: Pixels) => Answer): Answer {
  const shape = shapeOf(pixmap)
  return lent(pixmap.getPixels(), shape.stride * shape.height, (samples) => use({ ...shape, samples }))
}

/** The same until the promise is settled: no task but this one may use the engine of the thread meanwhile. */
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
    throw new Error('A view of engine memory outlives its use')
  }
  return answer
}

/** A view of memory that has moved has no bytes any more. */
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
