// Colour spaces of pictures (ISO 32000-2, 8.6): number of components per pixel, and the values that mean white or no
// ink.
import type { PDFObject } from 'mupdf'
import { decodedBytes } from '../../engine/engine-memory.js'
import { elementsOf, entry, integerOf, isArray, isStream, isText, nameOf, numbersOf } from '../../objects/values.js'

export interface PictureColors {
  readonly components: number
  /** Lowest and highest value of each component, in pairs. */
  readonly ranges: readonly number[]
  /** Blank colour, in the units of `ranges`. */
  readonly blank: readonly number[]
}

/** Maximum nesting of colour spaces that are based on others. */
const depthMax = 4
const componentsMax = 32
const paletteMax = 256

/** Returns the colours; undefined if a picture cannot have this colour space. `bits`: bits per sample. */
export function colorsOf(space: PDFObject, bits: number, depth = 0): PictureColors | undefined {
  if (depth > depthMax) return undefined
  const family = nameOf(isArray(space) ? entry(space, 0) : space) ?? ''
  return families[family]?.(space, bits, depth)
}

type Family = (space: PDFObject, bits: number, depth: number) => PictureColors | undefined

const even = (components: number, value: number): PictureColors => ({
  components,
  ranges: Array.from({ length: components }, () => [0, 1]).flat(),
  blank: new Array<number>(components).fill(value),
})

const [gray, rgb, cmyk] = [() => even(1, 1), () => even(3, 1), () => even(4, 0)]

const profiles: Readonly<Record<number, () => PictureColors>> = { 1: gray, 3: rgb, 4: cmyk }

const families: Readonly<Record<string, Family>> = {
  DeviceGray: gray,
  G: gray,
  CalGray: gray,
  DeviceRGB: rgb,
  RGB: rgb,
  CalRGB: rgb,
  DeviceCMYK: cmyk,
  CMYK: cmyk,
  ICCBased: (space) => profiles[integerOf(entry(space, 1, 'N')) ?? 0]?.(),
  Lab: (space) => {
    const range = numbersOf(entry(space, 1, 'Range'), 4) ?? [-100, 100, -100, 100]
    return { components: 3, ranges: [0, 100, ...range], blank: [100, 0, 0] }
  },
  Separation: () => even(1, 0),
  DeviceN: (space) => {
    const count = [...elementsOf(entry(space, 1), componentsMax)].length
    return count > 0 ? even(count, 0) : undefined
  },
  Indexed: indexed,
  I: indexed,
}

function indexed(space: PDFObject, bits: number, depth: number): PictureColors | undefined {
  const base = colorsOf(entry(space, 1), 8, depth + 1)
  if (base === undefined) return undefined
  const highest = Math.min(2 ** bits, paletteMax, (integerOf(entry(space, 2)) ?? 0) + 1) - 1
  const palette = paletteOf(entry(space, 3))
  let [lightest, least] = [0, Number.POSITIVE_INFINITY]
  for (let index = 0; index <= highest; index++) {
    const distance = distanceOf(palette.subarray(index * base.components), base)
    if (distance < least) [lightest, least] = [index, distance]
  }
  return { components: 1, ranges: [0, 2 ** bits - 1], blank: [lightest] }
}

/** Distance of a colour from blank over all components. */
const distanceOf = (color: Uint8Array, { ranges, blank }: PictureColors): number =>
  blank.reduce((sum, wanted, index) => {
    const [low = 0, high = 1] = ranges.slice(2 * index)
    const value = low + ((color[index] ?? 0) / 255) * (high - low)
    return sum + Math.abs(value - wanted) / (high - low || 1)
  }, 0)

function paletteOf(table: PDFObject): Uint8Array {
  if (isStream(table)) return decodedBytes(table)
  return isText(table) ? table.asByteString() : new Uint8Array()
}
