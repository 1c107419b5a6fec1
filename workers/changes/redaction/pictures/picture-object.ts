// Image dictionaries that are written: what drawing needs, and nothing that may show or say what the picture was.
import { constants, deflateSync } from 'node:zlib'
import type { PDFDocument, PDFObject } from 'mupdf'
import { inlineCopy } from '../../../pdf/inline-copy.js'
import { entriesOf } from '../../../pdf/values.js'
import type { DecodedPicture } from './decoded-picture.js'
import { pngRows } from './png-rows.js'
import { bytesOf } from './samples.js'

/** ISO 32000-2, table 87; alternates, previews for printing (OPI), metadata and notes of programs are left out. */
const keptKeys = new Set(
  (
    'Type Subtype Width Height ColorSpace BitsPerComponent Intent ImageMask Mask Decode Interpolate SMask StructParent OC ' +
    'Matte'
  ).split(' '),
)
const keysMax = 1_000
/** Larger pictures are deflated faster, and a little less. */
const fastBytes = 16 * 1024 * 1024
/** Coded as for fax: the engine codes them so again when it saves. */
const faxFilters = new Set(['CCITTFaxDecode', 'JBIG2Decode'])

export function dictionaryOf(pdf: PDFDocument, source: PDFObject): PDFObject {
  const dictionary = pdf.newDictionary()
  for (const [key, value] of entriesOf(source, keysMax)) if (keptKeys.has(key)) dictionary.put(key, inlineCopy(value))
  return dictionary
}

/** `filters`: of the source. */
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
