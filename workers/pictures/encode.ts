// Encodes raw pixels as a picture file. The engine's own encoders are many times slower.
import type { Pixmap } from 'mupdf'
import sharp, { type Sharp } from 'sharp'
import { type Pixels, withPixelsUntil } from '../engine/engine-memory.js'
import { inEncoderThreads } from './encoder-threads.js'

export const pictureFormats = ['webp', 'png'] as const
export type PictureFormat = (typeof pictureFormats)[number]

export interface Encoding {
  readonly format: PictureFormat
  /** Quality from 0 to 1, for WebP only. */
  readonly quality?: number
}

const defaultQuality = 0.8

// Each thread encodes one picture at a time, because the pool already has a thread for every core.
sharp.concurrency(1)
sharp.cache(false)

const encoders: Readonly<Record<PictureFormat, (picture: Sharp, quality: number) => Sharp>> = {
  // Effort 0 costs a third of the default and a few percent of size.
  webp: (picture, quality) => picture.webp({ quality: Math.max(1, Math.round(quality * 100)), effort: 0 }),
  png: (picture) => picture.png({ compressionLevel: 1, adaptiveFiltering: false }),
}

/** Encodes the pixels, which are read in the engine's memory: nothing else may run in the thread until it is done. */
export async function encode(pixmap: Pixmap, encoding: Encoding): Promise<Uint8Array> {
  return await withPixelsUntil(pixmap, (pixels) => encodePixels(pixels, encoding))
}

/** Encodes pixels with rows that follow each other without gaps. */
export function encodePixels(
  { samples, width, height, hasAlpha }: Pick<Pixels, 'samples' | 'width' | 'height' | 'hasAlpha'>,
  { format, quality = defaultQuality }: Encoding,
): Promise<Uint8Array> {
  const picture = sharp(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength), {
    raw: { width, height, channels: hasAlpha ? 4 : 3, premultiplied: hasAlpha },
    limitInputPixels: false,
  })
  return inEncoderThreads(() => encoders[format](picture, quality).toBuffer())
}
