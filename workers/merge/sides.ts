// Reads objects of the three sides of a merge: the old version (base), the new one (theirs), and the layer over the old
// one (ours).
import type { OpenDocument } from '../document/open-document.js'
import { baseEntriesOf } from '../file/section/base-entries.js'
import { bodyOf, holdersOn } from '../file/section/object-body.js'
import { contentOf } from '../file/section/section-pieces.js'
import type { InlineAnnotation, StoredImage } from '../messages/task.js'
import { trailerNumber } from '../objects/object-image.js'
import { withGenerations } from '../objects/object-text.js'
import { entry, isMissing } from '../objects/values.js'
import type { Side } from './merge-values.js'
import { type ParsedObject, parseBody } from './parse-body.js'
import { detachedFields, type ReadObject, type Splits, splitsOf, withSplits } from './split-fields.js'
import { isSame } from './value.js'

export interface OpenSides {
  readonly base: OpenDocument
  readonly theirs: OpenDocument
  readonly images: readonly StoredImage[]
  /** Numbers that the new version lists in its sections after the old one. */
  readonly listedByTheirs: ReadonlySet<number>
  /** Inline annotations with the numbers reserved for them. */
  readonly inline: readonly InlineAnnotation[]
}

export class Sides {
  readonly #images: ReadonlyMap<number, StoredImage>
  readonly #inline: ReadonlyMap<number, InlineAnnotation>
  readonly #read: Readonly<Record<Side, ReadObject>>
  readonly #splits: Readonly<Record<'theirs' | 'ours', Splits>>

  constructor(private readonly open: OpenSides) {
    this.#images = new Map(open.images.map((image) => [image.number, image]))
    this.#inline = new Map(open.inline.map((one) => [one.objectNumber, one]))
    const base = memoised((number) => this.#inVersion('base', number))
    const theirs = memoised((number) => this.#inVersion('theirs', number))
    const ours = memoised((number) => this.#inLayer(number, base))
    const numbers = { theirs: open.listedByTheirs, ours: [...this.#images.keys()] }
    const detached = detachedFields(numbers, { base, theirs, ours })
    const lost = new Set(detached.map(({ widget }) => widget))
    const pairs = (side: 'theirs' | 'ours') => detached.map((one) => [one.widget, one[side]] as const)
    const byTheirs = new Map([...splitsOf(numbers.theirs, base, theirs), ...pairs('theirs')])
    const byOurs = new Map([...splitsOf(numbers.ours, base, ours), ...pairs('ours')])
    this.#splits = { theirs: byTheirs, ours: byOurs }
    const byOursAlone = new Map([...byOurs].filter(([widget]) => !byTheirs.has(widget)))
    const byTheirsAlone = new Map([...byTheirs].filter(([widget]) => !byOurs.has(widget)))
    const doubles = this.doubleFields
    // Every side is read as if it had also split the fields that another side split.
    const theirsNow: ReadObject = (number) => (lost.has(number) ? undefined : theirs(number))
    const oursNow: ReadObject = (number) => ours(doubles.get(number) ?? number)
    this.#read = {
      base: memoised(withSplits(withSplits(base, byTheirs, theirs), byOursAlone, ours)),
      theirs: memoised(withSplits(theirsNow, byOursAlone, ours)),
      ours: memoised(withSplits(doubles.size === 0 ? ours : oursNow, byTheirsAlone, theirs)),
    }
  }

  /** Returns the object; undefined if there is none, or if the layer removed it. Throws `MalformedPdf`. */
  objectOf(side: Side, number: number): ParsedObject | undefined {
    return this.#read[side](number)
  }

  /** True if the new version defines the object differently from the old one. */
  isChangedByTheirs(number: number): boolean {
    if (!this.open.listedByTheirs.has(number) && !this.isSplit(number)) return false
    return !isSameObject(this.objectOf('base', number), this.objectOf('theirs', number))
  }

  /** True if the layer defines the object differently from the old version. */
  isChangedByOurs(number: number): boolean {
    const image = this.#images.get(number)
    if (image?.isHidden || (image === undefined && !this.isSplit(number))) return false
    return !isSameObject(this.objectOf('base', number), this.objectOf('ours', number))
  }

  get changedByTheirs(): readonly number[] {
    return [...this.open.listedByTheirs].filter((number) => this.isChangedByTheirs(number))
  }

  get changedByOurs(): readonly number[] {
    return [...new Set([...this.#images.keys(), ...this.splitFields])].filter((number) => this.isChangedByOurs(number))
  }

  /** True for a widget, or its field, that one side split from each other. */
  isSplit(number: number): boolean {
    return Object.values(this.#splits).some((splits) => splits.has(number) || [...splits.values()].includes(number))
  }

  /** Numbers of the fields that the version split from their widgets. */
  get splitFields(): readonly number[] {
    return [...this.#splits.theirs.values()]
  }

  /** True for a widget that only the layer split from its field: the version has both in one object. */
  isSplitByOursAlone(widget: number): boolean {
    return this.#splits.ours.has(widget) && !this.#splits.theirs.has(widget)
  }

  /** Fields that both sides split: their numbers in the layer by their numbers in the version. */
  get doubleFields(): ReadonlyMap<number, number> {
    const { theirs, ours } = this.#splits
    return new Map(
      [...theirs].flatMap(([widget, field]) => {
        const own = ours.get(widget)
        return own === undefined ? [] : [[field, own] as const]
      }),
    )
  }

  #inLayer(number: number, base: ReadObject): ParsedObject | undefined {
    const image = this.#images.get(number)
    if (image === undefined) return base(number)
    return image.isHidden ? undefined : parsedIn(contentOf(image.body))
  }

  #inVersion(side: 'base' | 'theirs', number: number): ParsedObject | undefined {
    const document = this.open[side]
    if (number === trailerNumber) return parsedIn(trailerOf(document))
    const found = parsedIn(bodyOf(document, document.pdf.newIndirect(number)))
    const inline = side === 'base' && found === undefined ? this.#inline.get(number) : undefined
    if (inline === undefined) return found
    const object = entry(document.pdf.newIndirect(inline.page), 'Annots', inline.baseIndex)
    return parsedIn(bodyOf(document, object, holdersOn(document.pdf, inline.page)))
  }
}

function memoised(read: ReadObject): ReadObject {
  const known = new Map<number, ParsedObject | undefined>()
  return (number) => {
    if (!known.has(number)) known.set(number, read(number))
    return known.get(number)
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

function trailerOf(document: OpenDocument): Uint8Array {
  const info = entry(document.trailer, 'Info')
  if (isMissing(info)) return Buffer.from('<<>>')
  const text = document.trailer.get('Info').toString(true, true)
  return Buffer.from(withGenerations(`<</Info ${text}>>`, baseEntriesOf(document).generations), 'latin1')
}
