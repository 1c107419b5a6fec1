// Pictures as pixels, for tests that look at what was drawn.
import sharp from 'sharp'

export interface Pixels {
  readonly width: number
  readonly height: number
  /** Red, green, blue, alpha; rows from the top. */
  readonly rgba: Uint8Array
}

export type Rgba = readonly [number, number, number, number]

export async function pixelsOf(picture: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, rgba: data }
}

export function pixelAt({ width, rgba }: Pixels, x: number, y: number): Rgba {
  const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray((y * width + x) * 4)
  return [red, green, blue, alpha]
}

/** Mean difference of a colour channel, 0 to 255. */
export function difference(one: Pixels, other: Pixels): number {
  if (one.width !== other.width || one.height !== other.height) return 255
  let sum = 0
  for (let index = 0; index < one.rgba.length; index++)
    sum += Math.abs((one.rgba[index] ?? 0) - (other.rgba[index] ?? 0))
  return sum / one.rgba.length
}

/** Puts tiles of one picture together again, row by row. */
export async function assembled(
  rows: readonly (readonly Uint8Array[])[],
  { width, height, tile }: { readonly width: number; readonly height: number; readonly tile: number },
): Promise<Pixels> {
  const parts = rows.flatMap((row, y) =>
    row.map((input, x) => ({ input: Buffer.from(input), left: x * tile, top: y * tile })),
  )
  const canvas = sharp({ create: { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } })
  return await pixelsOf(await canvas.composite(parts).png().toBuffer())
}
