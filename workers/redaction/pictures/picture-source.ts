// Sample format of an image dictionary (ISO 32000-2, table 87), as far as altering samples requires it.
import type { PDFObject } from 'mupdf'
import { booleanOf, elementsOf, entry, integerOf, isArray, isMissing, nameOf, numbersOf } from '../../objects/values.js'
import { colorsOf, type PictureColors } from './picture-colors.js'
import type { SampleLayout } from './samples.js'

export interface PictureSource {
  readonly object: PDFObject
  readonly layout: SampleLayout
  readonly isStencil: boolean
  /** Sample codes of a blank pixel: white, no ink, or nothing painted. */
  readonly blank: readonly number[]
  /** Filter names in decoding order. */
  readonly filters: readonly string[]
}

/** Role of a picture; in a soft mask (`alpha`), blank means nothing painted. */
export type PictureRole = 'colors' | 'alpha'

const sideMax = 1 << 16
const filtersMax = 16
const bitsAllowed = new Set([1, 2, 4, 8, 16])
/** Bits per sample of filters that determine it regardless of the dictionary. */
const ownBits: Readonly<Record<string, number>> = { CCITTFaxDecode: 1, JBIG2Decode: 1, DCTDecode: 8, JPXDecode: 8 }

/** Returns undefined if the picture's format is not supported. */
export function sourceOf(object: PDFObject, role: PictureRole): PictureSource | undefined {
  const isStencil = booleanOf(entry(object, 'ImageMask')) === true
  const filters = filtersOf(object)
  const bits = isStencil ? 1 : (ownBits[filters.at(-1) ?? ''] ?? integerOf(entry(object, 'BitsPerComponent')) ?? 8)
  const [width, height] = ['Width', 'Height'].map((key) => integerOf(entry(object, key)) ?? 0)
  const isSize = [width, height].every((side = 0) => side > 0 && side <= sideMax)
  if (!isSize || width === undefined || height === undefined || !bitsAllowed.has(bits)) return undefined
  const colors = isStencil ? stencil : colorsOf(entry(object, 'ColorSpace'), bits)
  if (colors === undefined) return undefined
  const values = role === 'alpha' && !isStencil ? colors.blank.map(() => 0) : colors.blank
  const blank = codesOf(values, { ...colors, ranges: decodeOf(object, colors) }, bits)
  return { object, layout: { width, height, components: colors.components, bits }, isStencil, blank, filters }
}

/** Colours of stencils and explicit masks, whose sample 1 paints nothing. */
const stencil: PictureColors = { components: 1, ranges: [0, 1], blank: [1] }

export function filtersOf(object: PDFObject): readonly string[] {
  const filter = entry(object, 'Filter')
  if (isMissing(filter)) return []
  return (isArray(filter) ? [...elementsOf(filter, filtersMax)] : [filter]).map((one) => {
    const name = nameOf(one) ?? ''
    return shortNames[name] ?? name
  })
}

const shortNames: Readonly<Record<string, string>> = { DCT: 'DCTDecode', CCF: 'CCITTFaxDecode' }

function decodeOf(object: PDFObject, { components, ranges }: PictureColors): readonly number[] {
  const decode = numbersOf(entry(object, 'Decode'), 2 * components)
  return decode?.length === 2 * components ? decode : ranges
}

function codesOf(values: readonly number[], { ranges }: PictureColors, bits: number): readonly number[] {
  const highest = 2 ** bits - 1
  return values.map((value, index) => {
    const [low = 0, high = 1] = ranges.slice(2 * index)
    const code = low === high ? 0 : Math.round(((value - low) / (high - low)) * highest)
    return Math.max(0, Math.min(highest, code))
  })
}
