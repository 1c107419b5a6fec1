// What an image dictionary says of its samples (ISO 32000-2, table 87), as far as it is needed to alter some of them.
import type { PDFObject } from 'mupdf'
import { booleanOf, elementsOf, entry, integerOf, isArray, isMissing, nameOf, numbersOf } from '../../../pdf/values.js'
import { colorsOf, type PictureColors } from './colors.js'
import type { SampleLayout } from './samples.js'

export interface PictureSource {
  readonly object: PDFObject
  readonly layout: SampleLayout
  readonly isStencil: boolean
  /** Codes of a pixel that is blank: white, no ink, or nothing painted. */
  readonly blank: readonly number[]
  /** Names of the filters, the first that is undone first. */
  readonly filters: readonly string[]
}

/** `alpha`: a soft mask, where nothing painted is blank. */
export type PictureRole = 'colors' | 'alpha'

const sideMax = 1 << 16
const filtersMax = 16
const bitsAllowed = new Set([1, 2, 4, 8, 16])
/** Filters that give one size of samples whatever the dictionary says. */
const ownBits: Readonly<Record<string, number>> = { CCITTFaxDecode: 1, JBIG2Decode: 1, DCTDecode: 8, JPXDecode: 8 }

/** Undefined = not a picture that can be understood. */
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

/** 1 paints nothing, in stencils and in explicit masks. */
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
