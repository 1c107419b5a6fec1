// Draws form XObjects on top of a page's content. The page's own streams are never altered: additional streams before
// and after them save and restore the graphics state.
import type { PDFDocument, PDFObject } from 'mupdf'
import { decodedBytes } from '../engine/engine-memory.js'
import { orElse } from '../engine/trap.js'
import { inlineCopy } from '../objects/inline-copy.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entriesOf, entry, isArray, isMissing, isStream } from '../objects/values.js'
import { aroundContent } from './around-content.js'
import { type Matrix, operands } from './placement.js'

export interface Drawing {
  readonly form: PDFObject
  readonly matrix: Matrix
  /** Optional content layer of the drawing. */
  readonly layer: PDFObject | undefined
}

/** Appends drawings to the content of `page`, which the caller must have touched. */
export function drawOnPage(pdf: PDFDocument, page: PDFObject, drawings: readonly Drawing[]): void {
  const resources = ownResources(page)
  const operators = drawings.map(({ form, matrix, layer }) => {
    const name = resources.add('XObject', form)
    const drawing = `q ${operands(matrix)} cm /${name} Do Q`
    return layer === undefined ? drawing : `/OC /${resources.add('Properties', layer)} BDC ${drawing} EMC`
  })
  const streams = streamsOf(entry(page, 'Contents'))
  const { before, after } = aroundContent(streams.map(textOf).join('\n'))
  const contents = pdf.newArray()
  contents.push(pdf.addStream(before, {}))
  for (const stream of streams) contents.push(stream)
  contents.push(pdf.addStream(`${after}${operators.join('\n')}\n`, {}))
  page.put('Contents', contents)
}

/** Returns the text of a stream; one that cannot be decoded counts as empty. */
const textOf = (stream: PDFObject): string => orElse('', () => decodedBytes(stream).toString('latin1'))

function streamsOf(contents: PDFObject): readonly PDFObject[] {
  if (isArray(contents)) return [...elementsOf(contents, readingLimits.annotsLengthMax)].filter(isStream)
  return isStream(contents) ? [contents] : []
}

interface Resources {
  /** Returns the name of the added resource. */
  add(category: string, value: PDFObject): string
}

/** Returns resources of the page's own, even if it inherited or shared them: other pages must not change. */
function ownResources(page: PDFObject): Resources {
  const pdf = page._doc
  const dictionary = shallowCopy(page, page.getInheritable('Resources'))
  page.put('Resources', dictionary)
  const lists = new Map<string, NamedList>()
  const listOf = (category: string): NamedList => {
    const made = new NamedList(shallowCopy(page, entry(dictionary, category)))
    dictionary.put(category, made.list)
    lists.set(category, made)
    return made
  }
  return {
    add(category, value) {
      const { list, name } = (lists.get(category) ?? listOf(category)).next()
      list.put(pdf.newName(name), value)
      return name
    },
  }
}

class NamedList {
  #count = 0

  constructor(readonly list: PDFObject) {}

  /** Returns an unused resource name. */
  next(): { readonly list: PDFObject; readonly name: string } {
    while (!isMissing(entry(this.list, `Fl${this.#count}`))) this.#count++
    return { list: this.list, name: `Fl${this.#count++}` }
  }
}

/** Maximum number of entries of one resource dictionary. */
const entriesMax = 100_000

function shallowCopy(page: PDFObject, dictionary: PDFObject): PDFObject {
  const copy = page._doc.newDictionary()
  for (const [key, value] of entriesOf(dictionary, entriesMax)) copy.put(key, inlineCopy(value))
  return copy
}
