// Blanks an area of a JPEG image without re-encoding the rest: only blocks under the area and at its edge are recoded.
import type { PDFDocument, PDFObject } from 'mupdf'
import { decodedBytes, storedBytes } from '../../engine/engine-memory.js'
import { elementsOf, entry, integerOf, isArray } from '../../objects/values.js'
import { blankJpeg } from './jpeg/blank-jpeg.js'
import { JpegError } from './jpeg/jpeg-error.js'
import type { JpegPicture } from './jpeg/jpeg-picture.js'
import { readJpeg } from './jpeg/read-jpeg.js'
import { writeJpeg } from './jpeg/write-jpeg.js'
import { dictionaryOf } from './picture-object.js'
import type { PictureSource } from './picture-source.js'
import type { PixelArea } from './pixel-area.js'

const filtersMax = 16

/** Returns undefined if the image is coded in an unsupported way or damaged. */
export function blankedJpeg(pdf: PDFDocument, source: PictureSource, area: PixelArea): PDFObject | undefined {
  const { object, layout, blank, filters } = source
  if (filters.at(-1) !== 'DCTDecode') return undefined
  try {
    const jpeg = readJpeg(jpegBytes(pdf, object, filters.length))
    const { width, height, components } = jpeg
    if (width !== layout.width || height !== layout.height || components.length !== layout.components) return undefined
    const transform = lastOf(entry(object, 'DecodeParms'), 'ColorTransform')
    blankJpeg(jpeg, area, levelsOf(jpeg, blank, transform))
    const dictionary = dictionaryOf(pdf, object)
    dictionary.put('Filter', pdf.newName('DCTDecode'))
    if (transform !== undefined) {
      const parameters = pdf.newDictionary()
      parameters.put('ColorTransform', transform)
      dictionary.put('DecodeParms', parameters)
    }
    return pdf.addRawStream(writeJpeg(jpeg), dictionary)
  } catch (error) {
    if (error instanceof JpegError) return undefined
    throw error
  }
}

/** Returns the bytes of the JPEG without the outer filters. */
function jpegBytes(pdf: PDFDocument, object: PDFObject, filters: number): Buffer {
  const stored = storedBytes(object)
  if (filters === 1) return stored
  const dictionary = pdf.newDictionary()
  for (const key of ['Filter', 'DecodeParms']) {
    const list = entry(object, key)
    if (!isArray(list)) continue
    const outer = pdf.newArray()
    for (const one of [...elementsOf(list, filtersMax)].slice(0, filters - 1)) outer.push(one)
    dictionary.put(key, outer)
  }
  const wrapped = pdf.addRawStream(stored, dictionary)
  try {
    return decodedBytes(wrapped)
  } finally {
    pdf.deleteObject(wrapped)
  }
}

function lastOf(parameters: PDFObject, key: string): number | undefined {
  const last = isArray(parameters) ? entry(parameters, parameters.length - 1) : parameters
  return integerOf(entry(last, key))
}

/** Converts a displayed colour to the sample levels of the JPEG components (ISO 32000-2, table 13). */
function levelsOf(jpeg: JpegPicture, color: readonly number[], transform: number | undefined): readonly number[] {
  const [first = 0, second = 0, third = 0, black = 0] = color
  if (!isTransformed(jpeg, transform)) return color
  if (color.length === 4) return [...luminance(255 - first, 255 - second, 255 - third), black]
  return luminance(first, second, third)
}

function isTransformed({ components, isJfif, adobeTransform }: JpegPicture, transform: number | undefined): boolean {
  if (components.length < 3) return false
  if (components.length === 3 && isJfif) return true
  if (adobeTransform !== undefined) return adobeTransform !== 0
  if (transform !== undefined) return transform !== 0
  const isRgb = components.map(({ id }) => String.fromCharCode(id)).join('') === 'RGB'
  return components.length === 3 && !isRgb
}

const luminance = (red: number, green: number, blue: number): readonly number[] => [
  0.299 * red + 0.587 * green + 0.114 * blue,
  128 - 0.168736 * red - 0.331264 * green + 0.5 * blue,
  128 + 0.5 * red - 0.418688 * green - 0.081312 * blue,
]
