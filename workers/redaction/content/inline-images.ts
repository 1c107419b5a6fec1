// Converts inline images (ISO 32000-2, 8.9.7) to image objects: the engine would write some of them without their
// colour space, and image objects are redacted like every other picture.
import type { PDFDocument, PDFObject } from 'mupdf'
import { bytesIn, nameIn, type Operator, operatorsOf } from '../../content/operators.js'
import { entry } from '../../objects/values.js'

/**
 * Returns the image object; undefined if the operator is not a valid image. `resources`: resources of the enclosing
 * content.
 */
export function objectOfInline(pdf: PDFDocument, operator: Operator, resources: PDFObject): PDFObject | undefined {
  const { name, operands, samples } = operator
  if (name !== 'EI' || samples === undefined) return undefined
  const dictionary = pdf.newDictionary()
  dictionary.put('Type', pdf.newName('XObject'))
  dictionary.put('Subtype', pdf.newName('Image'))
  for (const [key, value] of pairsOf(operands.slice(1))) {
    const long = keys[key] ?? key
    if (long === 'Length') continue
    const names = long === 'Filter' ? filters : long === 'ColorSpace' ? spaces : undefined
    dictionary.put(long, long === 'ColorSpace' ? spaceOf(pdf, value, resources) : valueIn(pdf, value, names))
  }
  return pdf.addRawStream(Buffer.from(samples, 'latin1'), dictionary)
}

/** Maximum nesting of arrays: colour spaces refer to others. */
const depthMax = 16

type Names = Readonly<Record<string, string>>

/** Full forms of abbreviated keys and values (tables 91 and 92). */
const keys: Names = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  L: 'Length',
  W: 'Width',
}
const spaces: Names = { G: 'DeviceGray', RGB: 'DeviceRGB', CMYK: 'DeviceCMYK', I: 'Indexed' }
const filters: Names = {
  AHx: 'ASCIIHexDecode',
  A85: 'ASCII85Decode',
  LZW: 'LZWDecode',
  Fl: 'FlateDecode',
  RL: 'RunLengthDecode',
  CCF: 'CCITTFaxDecode',
  DCT: 'DCTDecode',
}

function spaceOf(pdf: PDFDocument, operand: string, resources: PDFObject): PDFObject {
  const named = nameIn(operand)
  const found = named === undefined ? undefined : entry(resources, 'ColorSpace', named)
  return found === undefined || found.isNull() ? valueIn(pdf, operand, spaces) : found
}

/**
 * Converts an operand. `names`: abbreviations and their full forms. Values nested deeper than in any image become null.
 */
export function valueIn(pdf: PDFDocument, operand: string, names: Names = {}, depth = 0): PDFObject {
  if (depth > depthMax) return pdf.newNull()
  const name = nameIn(operand)
  if (name !== undefined) return pdf.newName(names[name] ?? name)
  if (operand.startsWith('<<')) {
    const dictionary = pdf.newDictionary()
    for (const [key, value] of pairsOf(partsOf(operand.slice(2, -2))))
      dictionary.put(key, valueIn(pdf, value, {}, depth + 1))
    return dictionary
  }
  if (operand.startsWith('[')) {
    const array = pdf.newArray()
    for (const part of partsOf(operand.slice(1, -1))) array.push(valueIn(pdf, part, names, depth + 1))
    return array
  }
  if (/^[(<]/.test(operand)) return pdf.newByteString(Uint8Array.from(bytesIn(operand)))
  if (operand === 'true' || operand === 'false') return pdf.newBoolean(operand === 'true')
  const number = Number(operand)
  if (operand === 'null' || !Number.isFinite(number)) return pdf.newNull()
  return Number.isInteger(number) ? pdf.newInteger(number) : pdf.newReal(number)
}

/** Splits text into operands by parsing it as content without an operator. */
const partsOf = (text: string): readonly string[] => [...operatorsOf(`${text} d`)][0]?.operands ?? []

function* pairsOf(operands: readonly string[]): Generator<readonly [string, string]> {
  for (let place = 0; place + 1 < operands.length; place += 2) {
    const key = nameIn(operands[place])
    if (key !== undefined) yield [key, operands[place + 1] ?? '']
  }
}
