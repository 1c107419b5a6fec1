// Pictures of pages drawn by external programs, and their differences.

export interface Picture {
  readonly width: number
  readonly height: number
  /** Red, green, blue; rows from the top. */
  readonly rgb: Uint8Array
}

/** Box in pixels, rounded outwards. */
export interface PixelBox {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Splits a stream of binary PPM files into pictures. */
export function picturesIn(ppm: Buffer): readonly Picture[] {
  const pictures: Picture[] = []
  let at = 0
  while (at < ppm.length) {
    const header = /^P6\s+(?:#[^\n]*\n\s*)*(\d+)\s+(\d+)\s+(\d+)\s/.exec(ppm.subarray(at, at + 200).toString('latin1'))
    if (header === null) break
    const [whole, width, height] = [header[0], Number(header[1]), Number(header[2])]
    const start = at + whole.length
    at = start + width * height * 3
    pictures.push({ width, height, rgb: ppm.subarray(start, at) })
  }
  return pictures
}

/** Maximum channel difference caused by anti-aliasing. */
const channelDifferenceMax = 48

export interface Difference {
  readonly pixels: number
  /** Bounding box of the differing pixels; undefined if there are none. */
  readonly box: PixelBox | undefined
}

/** Counts differing pixels outside the boxes. */
export function differenceOutside(one: Picture, other: Picture, boxes: readonly PixelBox[]): Difference {
  if (one.width !== other.width || one.height !== other.height) {
    return { pixels: one.width * one.height, box: { left: 0, top: 0, right: one.width, bottom: one.height } }
  }
  let pixels = 0
  const box = { left: Number.POSITIVE_INFINITY, top: Number.POSITIVE_INFINITY, right: 0, bottom: 0 }
  for (let y = 0; y < one.height; y++) {
    for (let x = 0; x < one.width; x++) {
      if (!differs(one, other, x, y) || boxes.some((around) => isIn(around, x, y))) continue
      pixels++
      box.left = Math.min(box.left, x)
      box.top = Math.min(box.top, y)
      box.right = Math.max(box.right, x + 1)
      box.bottom = Math.max(box.bottom, y + 1)
    }
  }
  return { pixels, box: pixels === 0 ? undefined : box }
}

/**
 * Rewritten text may move by one pixel, and enlarged pictures have blurred edges: each channel of a pixel must lie between
 * the extremes of the 3 by 3 pixels around the same position in the other picture.
 */
function differs(one: Picture, other: Picture, x: number, y: number): boolean {
  const at = (y * one.width + x) * 3
  for (let channel = at; channel < at + 3; channel++) {
    if (Math.abs((one.rgb[channel] ?? 0) - (other.rgb[channel] ?? 0)) > channelDifferenceMax)
      return !isBetween(one, other, x, y) || !isBetween(other, one, x, y)
  }
  return false
}

function isBetween(one: Picture, other: Picture, x: number, y: number): boolean {
  for (let channel = 0; channel < 3; channel++) {
    const value = one.rgb[(y * one.width + x) * 3 + channel] ?? 0
    let [least, most] = [255, 0]
    for (let row = Math.max(0, y - 1); row <= Math.min(other.height - 1, y + 1); row++) {
      for (let column = Math.max(0, x - 1); column <= Math.min(other.width - 1, x + 1); column++) {
        const beside = other.rgb[(row * other.width + column) * 3 + channel] ?? 0
        least = Math.min(least, beside)
        most = Math.max(most, beside)
      }
    }
    if (value < least - channelDifferenceMax || value > most + channelDifferenceMax) return false
  }
  return true
}

const isIn = ({ left, top, right, bottom }: PixelBox, x: number, y: number): boolean =>
  x >= left && x < right && y >= top && y < bottom

type Rgb = readonly [number, number, number]

export function meanColour({ width, height, rgb }: Picture, { left, top, right, bottom }: PixelBox): Rgb {
  const sums: [number, number, number] = [0, 0, 0]
  let count = 0
  for (let y = Math.max(0, top); y < Math.min(height, bottom); y++) {
    for (let x = Math.max(0, left); x < Math.min(width, right); x++) {
      const at = (y * width + x) * 3
      sums[0] += rgb[at] ?? 0
      sums[1] += rgb[at + 1] ?? 0
      sums[2] += rgb[at + 2] ?? 0
      count++
    }
  }
  return count === 0 ? [0, 0, 0] : [sums[0] / count, sums[1] / count, sums[2] / count]
}

export interface Where {
  /** Default: the whole picture. */
  readonly within?: readonly PixelBox[]
  readonly without?: readonly PixelBox[]
  /** Alternative picture: each square must match one of the two. */
  readonly or?: Picture
}

/** Returns the largest channel difference between mean colours of squares of this size in pixels. */
export function coarseDifference(one: Picture, other: Picture, where: Where = {}, cell = 8): number {
  const { within, without = [], or = one } = where
  if (Math.abs(one.width - other.width) > 1 || Math.abs(one.height - other.height) > 1) return 255
  let largest = 0
  for (let top = 0; top < one.height; top += cell) {
    for (let left = 0; left < one.width; left += cell) {
      const square = { left, top, right: left + cell, bottom: top + cell }
      if (within?.some((box) => meets(box, square)) === false || without.some((box) => meets(box, square))) continue
      const mean = meanColour(other, square)
      const differences = [one, or].map((picture) => channelDifference(meanColour(picture, square), mean))
      largest = Math.max(largest, Math.min(...differences))
    }
  }
  return largest
}

const channelDifference = (one: Rgb, other: Rgb): number =>
  Math.max(...one.map((value, channel) => Math.abs(value - (other[channel] ?? 0))))

const meets = (one: PixelBox, other: PixelBox): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom

/** Rotates the picture clockwise by quarter turns. */
export function turned(picture: Picture, quarters: number): Picture {
  const times = ((quarters % 4) + 4) % 4
  return times === 0 ? picture : turned(quarterTurned(picture), times - 1)
}

function quarterTurned({ width, height, rgb }: Picture): Picture {
  const target = new Uint8Array(rgb.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = (y * width + x) * 3
      target.set(rgb.subarray(from, from + 3), (x * height + height - 1 - y) * 3)
    }
  }
  return { width: height, height: width, rgb: target }
}
