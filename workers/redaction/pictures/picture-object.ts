// Writes image dictionaries with only the entries that drawing needs, and none that may reveal the original picture.
import { constants, deflateSync } from 'node:zlib'
import type { PDFDocument, PDFObject } from 'mupdf'
import { inlineCopy } from '../../objects/inline-copy.js'
import { entriesOf } from '../../objects/values.js'
import type { DecodedPicture } from './decoded-picture.js'
import { pngRows } from './png-rows.js'
import { bytesOf } from './samples.js'

/** Retained entries (ISO 32000-2, table 87): no alternates, print previews (OPI), metadata or private data. */
const retainedKeys = new Set(
  (
    'Type Subtype Width Height ColorSpace BitsPerComponent Intent ImageMask Mask Decode Interpolate SMask StructParent OC ' +
    'Matte'
  ).split(' '),
)
const keysMax = 1_000
/** Size above which pictures are compressed faster and slightly less. */
const fastBytes = 16 * 1024 * 1024
/** Fax encodings, which the engine applies again when it saves. */
const faxFilters = new Set(['CCITTFaxDecode', 'JBIG2Decode'])

export function dictionaryOf(pdf: PDFDocument, source: PDFObject): PDFObject {
  const dictionary = pdf.newDictionary()
  for (const [key, value] of entriesOf(source, keysMax))
    if (retainedKeys.has(key)) dictionary.put(key, inlineCopy(value))
  return dictionary
}

/** Adds a picture. `filters`: filters of the source picture. */
export function addPicture(
  pdf: PDFDocument,
  source: PDFObject,
  { samples, layout, altered, isContinuous }: DecodedPicture,
  filters: readonly string[],
): PDFObject {
  const dictionary = dictionaryOf(pdf, source)
  for (const [key, value] of Object.entries(altered)) {
    if (value === undefined) dictionary.delete(key)
    else dictionary.put(key, value)
  }
  dictionary.put('Width', layout.width)
  dictionary.put('Height', layout.height)
  if (layout.bits === 1 && faxFilters.has(filters.at(-1) ?? '')) {
    dictionary.put('BitsPerComponent', 1)
    return pdf.addStream(samples, dictionary)
  }
  if (isContinuous && layout.bits >= 8) {
    const parameters = pdf.newDictionary()
    parameters.put('Predictor', 15)
    parameters.put('Columns', layout.width)
    parameters.put('Colors', layout.components)
    parameters.put('BitsPerComponent', layout.bits)
    dictionary.put('DecodeParms', parameters)
  }
  dictionary.put('Filter', pdf.newName('FlateDecode'))
  const rows = isContinuous && layout.bits >= 8 ? pngRows(samples, layout) : samples
  const level = bytesOf(layout) > fastBytes ? constants.Z_BEST_SPEED + 1 : constants.Z_DEFAULT_COMPRESSION
  return pdf.addRawStream(deflateSync(rows, { level }), dictionary)
}
