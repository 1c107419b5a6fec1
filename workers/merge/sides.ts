// The three sides of a merge: the old version, the new one, and the layer over the old one; objects by number.
import type { PDFObject } from 'mupdf'
import type { OpenDocument } from '../document/open-document.js'
import { contentOf } from '../file/section/section-pieces.js'
import { generationsOf } from '../file/section/generations.js'
import type { InlineAnnotation, StoredImage } from '../messages/task.js'
import { imageBody, trailerNumber } from '../objects/object-image.js'
import { withGenerations } from '../objects/object-text.js'
import { entry, isMissing } from '../objects/values.js'
import type { Side } from './merge-values.js'
import { type ParsedObject, parseBody } from './parse-body.js'
import { isSame } from './value.js'

export interface OpenSides {
  readonly base: OpenDocument
  readonly theirs: OpenDocument
  readonly images: readonly StoredImage[]
  /** Numbers that the new version lists in the sections behind the old one. */
  readonly listedByTheirs: ReadonlySet<number>
  /** Numbers that were reserved for inline annotations. */
  readonly inline: readonly InlineAnnotation[]
}

export class Sides {
  readonly #parsed = new Map<string, ParsedObject | undefined>()
  readonly #images: ReadonlyMap<number, StoredImage>
  readonly #inline: ReadonlyMap<number, InlineAnnotation>

  constructor(private readonly open: OpenSides) {
    this.#images = new Map(open.images.map((image) => [image.number, image]))
    this.#inline = new Map(open.inline.map((one) => [one.objectNumber, one]))
  }

  /** Returns the object; undefined if there is none, or if the layer removed it. Throws `MalformedPdf`. */
  objectOf(side: Side, number: number): ParsedObject | undefined {
    const key = `${side} ${number}`
    if (!this.#parsed.has(key)) this.#parsed.set(key, this.#read(side, number))
    return this.#parsed.get(key)
  }

  /** True if the new version defines the object otherwise than the old one. */
  isChangedByTheirs(number: number): boolean {
    if (!this.open.listedByTheirs.has(number)) return false
    return !isSameObject(this.objectOf('base', number), this.objectOf('theirs', number))
  }

  /** True if the layer defines the object otherwise than the old version. */
  isChangedByOurs(number: number): boolean {
    const image = this.#images.get(number)
    if (image === undefined || image.isHidden) return false
    return !isSameObject(this.objectOf('base', number), this.objectOf('ours', number))
  }

  get changedByTheirs(): readonly number[] {
    return [...this.open.listedByTheirs].filter((number) => this.isChangedByTheirs(number))
  }

  #read(side: Side, number: number): ParsedObject | undefined {
    if (side === 'ours') {
      const image = this.#images.get(number)
      if (image?.isHidden) return undefined
      return image === undefined ? this.objectOf('base', number) : parsedIn(contentOf(image.body))
    }
    const document = this.open[side]
    if (number === trailerNumber) return parsedIn(trailerOf(document))
    const found = parsedIn(bodyOf(document, document.pdf.newIndirect(number)))
    const inline = side === 'base' && found === undefined ? this.#inline.get(number) : undefined
    return inline === undefined ? found : parsedIn(bodyOf(document, inlineIn(document, inline)))
  }
}

export function isSameObject(one: ParsedObject | undefined, other: ParsedObject | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  if ((one.bytes === undefined) !== (other.bytes === undefined)) return false
  const areSameBytes =
    one.bytes === undefined || other.bytes === undefined || Buffer.compare(one.bytes, other.bytes) === 0
  return areSameBytes && isSameValue(one, other)
}

const isSameValue = (one: ParsedObject, other: ParsedObject): boolean => isSame(one.value, other.value)

function parsedIn(body: Uint8Array): ParsedObject | undefined {
  const parsed = parseBody(body)
  return parsed.value === 'null' ? undefined : parsed
}

/** Body of an object of the version, in the form of images. */
export function bodyOf(document: OpenDocument, object: PDFObject): Uint8Array {
  return imageBody(object, (text) => withGenerations(text, generationsOf(document)))
}

const inlineIn = (document: OpenDocument, { page, baseIndex }: InlineAnnotation): PDFObject =>
  entry(document.pdf.newIndirect(page), 'Annots', baseIndex)

function trailerOf(document: OpenDocument): Uint8Array {
  const info = entry(document.trailer, 'Info')
  if (isMissing(info)) return Buffer.from('<<>>')
  const text = document.trailer.get('Info').toString(true, true)
  return Buffer.from(withGenerations(`<</Info ${text}>>`, generationsOf(document)), 'latin1')
}
