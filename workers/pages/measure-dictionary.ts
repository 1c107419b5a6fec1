// Builds measure dictionaries (ISO 32000-2, 12.9) of viewports and of annotations that measure.
import type { PDFDocument, PDFObject } from 'mupdf'
import type { Measure } from '../contract/measurement.js'
import type { NumberFormat } from '../contract/number-format.js'
import type { PageSpace } from '../document/page-space.js'
import { fractions, labelPositions } from './measures.js'

interface Where {
  readonly pdf: PDFDocument
  /** Space of the page the scale belongs to. */
  readonly space: PageSpace
}

/** Returns a dictionary to be stored inline. */
export function measureDictionary(measure: Measure, { pdf, space }: Where): PDFObject {
  const dictionary = pdf.newDictionary()
  dictionary.put('Type', pdf.newName('Measure'))
  dictionary.put('Subtype', pdf.newName('RL'))
  dictionary.put('R', pdf.newString(measure.ratio ?? ''))
  for (const [member, key] of formatKeys) {
    const formats = measure[member]
    if (formats !== undefined) dictionary.put(key, formatsArray(formats, pdf))
  }
  if (measure.origin !== undefined) {
    const { x, y } = space.toUserPoint(measure.origin)
    dictionary.put('O', [x, y])
  }
  if (measure.cyx !== undefined) dictionary.put('CYX', measure.cyx)
  return dictionary
}

const formatKeys = [
  ['x', 'X'],
  ['y', 'Y'],
  ['distance', 'D'],
  ['area', 'A'],
  ['angle', 'T'],
  ['slope', 'S'],
] as const

const textKeys = [
  ['thousands', 'RT'],
  ['decimal', 'RD'],
  ['prefixSpacing', 'PS'],
  ['suffixSpacing', 'SS'],
] as const

function formatsArray(formats: readonly NumberFormat[], pdf: PDFDocument): PDFObject {
  const array = pdf.newArray()
  for (const format of formats) array.push(formatDictionary(format, pdf))
  return array
}

function formatDictionary(format: NumberFormat, pdf: PDFDocument): PDFObject {
  const dictionary = pdf.newDictionary()
  dictionary.put('Type', pdf.newName('NumberFormat'))
  dictionary.put('U', pdf.newString(format.unit))
  dictionary.put('C', format.conversion)
  const { fraction, precision, fixed, labelPosition } = format
  if (fraction !== undefined) dictionary.put('F', pdf.newName(keyOf(fractions, fraction)))
  if (precision !== undefined) dictionary.put('D', precision)
  if (fixed !== undefined) dictionary.put('FD', fixed)
  for (const [member, key] of textKeys) {
    const text = format[member]
    if (text !== undefined) dictionary.put(key, pdf.newString(text))
  }
  if (labelPosition !== undefined) dictionary.put('O', pdf.newName(keyOf(labelPositions, labelPosition)))
  return dictionary
}

/** Returns the PDF name of a wire value. */
function keyOf<Word extends string>(table: Readonly<Record<string, Word>>, word: Word): string {
  const found = Object.entries(table).find(([, value]) => value === word)
  if (found === undefined) throw new Error(`No PDF name is defined for ${word}`)
  return found[0]
}
