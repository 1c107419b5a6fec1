// Draws form XObjects behind everything a page shows. The streams of the page are never altered: what they leave behind
// of the graphics state is put away around them.
import type { PDFObject } from 'mupdf'
import { type Matrix, operands } from '../../pdf/appearances/placement.js'
import { inlineCopy } from '../../pdf/inline-copy.js'
import { readingLimits } from '../../pdf/reading-limits.js'
import { elementsOf, entriesOf, entry, isArray, isDictionary, isMissing, isStream } from '../../pdf/values.js'
import type { Change } from '../change.js'

export interface Drawn {
  readonly form: PDFObject
  readonly matrix: Matrix
  /** The layer it belongs to. */
  readonly layer: PDFObject | undefined
}

/** `page` is touched. */
export function drawOnPage({ pdf }: Change, page: PDFObject, drawings: readonly Drawn[]): void {
  const resources = ownResources(page)
  const operators = drawings.map(({ form, matrix, layer }) => {
    const name = resources.add('XObject', form)
    const drawing = `q ${operands(matrix)} cm /${name} Do Q`
    return layer === undefined ? drawing : `/OC /${resources.add('Properties', layer)} BDC ${drawing} EMC`
  })
  const contents = pdf.newArray()
  contents.push(pdf.addStream('q\n', {}))
  for (const stream of streamsOf(entry(page, 'Contents'))) contents.push(stream)
  contents.push(pdf.addStream(`\nQ\n${operators.join('\n')}\n`, {}))
  page.put('Contents', contents)
}

function streamsOf(contents: PDFObject): readonly PDFObject[] {
  if (isArray(contents)) return [...elementsOf(contents, readingLimits.annotsLengthMax)].filter(isStream)
  return isStream(contents) ? [contents] : []
}

interface Resources {
  /** Answers the name it got. */
  add(category: string, value: PDFObject): string
}

/** Its own, even where it inherited or shared them: other pages must not change. */
function ownResources(page: PDFObject): Resources {
  const pdf = page._doc
  const inherited = page.getInheritable('Resources')
  const dictionary = shallowCopy(page, inherited)
  page.put('Resources', dictionary)
  return {
    add(category, value) {
      const known = entry(dictionary, category)
      const list = isDictionary(known) && !known.isIndirect() ? known : shallowCopy(page, known)
      dictionary.put(category, list)
      const name = freeName(list)
      list.put(pdf.newName(name), value)
      return name
    },
  }
}

/** Entries of one resource dictionary. */
const entriesMax = 100_000

function shallowCopy(page: PDFObject, dictionary: PDFObject): PDFObject {
  const copy = page._doc.newDictionary()
  for (const [key, value] of entriesOf(dictionary, entriesMax)) copy.put(key, inlineCopy(value))
  return copy
}

function freeName(list: PDFObject): string {
  let count = 0
  while (!isMissing(entry(list, `Fl${count}`))) count++
  return `Fl${count}`
}
