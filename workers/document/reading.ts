// One read of a document: the budget of its answer, and values that several readers need of the same page or file,
// computed once.
import type { PDFObject } from 'mupdf'
import { JobRefusal } from '../contract/job-refusal.js'
import { shownName } from '../engine/names.js'
import { readingLimits } from '../objects/reading-limits.js'
import { streamBytes } from '../objects/streams.js'
import { entry, isDictionary, nameOf, numbersOf, textOf } from '../objects/values.js'
import { AnswerBudget } from './answer-budget.js'
import { NamedDestinations } from './named-destinations.js'
import type { OpenDocument } from './open-document.js'
import { pageBoxes } from './page-boxes.js'
import { PageSpace } from './page-space.js'

export class Reading {
  readonly budget: AnswerBudget
  readonly #spaces = new Map<number, PageSpace>()
  #namedDestinations: NamedDestinations | undefined

  constructor(
    readonly document: OpenDocument,
    itemsMax: number,
  ) {
    this.budget = new AnswerBudget(itemsMax)
  }

  get catalog(): PDFObject {
    return this.document.catalog
  }

  get form(): PDFObject {
    return entry(this.catalog, 'AcroForm')
  }

  get namedDestinations(): NamedDestinations {
    this.#namedDestinations ??= new NamedDestinations(this.catalog)
    return this.#namedDestinations
  }

  pageObject(page: number): PDFObject {
    const object = this.document.pageObject(page)
    if (!isDictionary(object)) throw new JobRefusal('MalformedPdf', `The page obj:${page} cannot be read`)
    return object
  }

  spaceOf(page: number): PageSpace {
    const known = this.#spaces.get(page)
    if (known !== undefined) return known
    const space = new PageSpace(pageBoxes(this.pageObject(page)).crop)
    this.#spaces.set(page, space)
    return space
  }

  /** Returns a text string; undefined if the entry is none. */
  text(object: PDFObject, ...path: readonly (string | number)[]): string | undefined {
    const text = textOf(entry(object, ...path))
    return text === undefined ? undefined : this.budget.takeText(text)
  }

  /** Returns the name as clients see it. */
  name(object: PDFObject, ...path: readonly (string | number)[]): string | undefined {
    const name = nameOf(entry(object, ...path))
    return name === undefined ? undefined : this.budget.takeText(shownName(name))
  }

  /** Returns text that a file may store as a string or a stream: scripts, rich text. */
  longText(object: PDFObject, bytesMax: number): string | undefined {
    const bytes = streamBytes(object, bytesMax)
    const text = bytes === undefined ? textOf(object) : decoded(bytes)
    return text === undefined || text.length > bytesMax ? undefined : this.budget.takeText(text)
  }

  numbers(array: PDFObject): readonly number[] | undefined {
    const numbers = numbersOf(array, readingLimits.numbersMax)
    this.budget.takeValues(numbers?.length ?? 0)
    return numbers
  }
}

/** Decodes a text stream, which is encoded like a text string (ISO 32000-2, 7.9.3). */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  const text = new TextDecoder().decode(bytes)
  return text.includes('\ufffd') ? new TextDecoder('latin1').decode(bytes) : text
}
