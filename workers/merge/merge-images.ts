// Merges the images of a layer, object by object, into images over a new version. `finish-merge.ts` afterwards handles
// references to objects that one side removed.
import { contentOf } from '../file/section/section-pieces.js'
import type { InlineAnnotation, StoredImage } from '../messages/task.js'
import { trailerNumber } from '../objects/object-image.js'
import type { Conflicts } from './conflicts.js'
import { sets } from './entry-kinds.js'
import { isOnlyDrawn } from './left-to-readers.js'
import { type Side, ValueMerge } from './merge-values.js'
import { bodyText, type ParsedObject, parseBody } from './parse-body.js'
import { isSameObject, type Sides } from './sides.js'
import {
  type Dictionary,
  isArray,
  isDictionary,
  isReference,
  isSame,
  itemsOf,
  printed,
  type Reference,
  type Value,
  withReferences,
} from './value.js'

export interface ImageMerge {
  readonly sides: Sides
  readonly images: readonly StoredImage[]
  readonly conflicts: Conflicts
  /** Objects of signed and locked fields. */
  readonly protectedNumbers: ReadonlySet<number>
  /** The version is signed, and its form leaves drawing to readers. */
  readonly isLeftToReaders: boolean
  readonly inline: readonly InlineAnnotation[]
  readonly conflictsGoTo: 'layer' | 'version'
}

/** Returns images over the new version. An image that did not change is the same value as in the layer. */
export function mergeImages(merge: ImageMerge): readonly StoredImage[] {
  return new ImageMerger(merge).run()
}

/** Key of undo data that later requests need: the former numbers of fields. */
const formerNumber = /\/STWD_Note ?\(field \d+\)/

class ImageMerger {
  readonly #merge: ImageMerge
  readonly #values: ValueMerge
  readonly #put = new Map<number, Value>()
  readonly #merged = new Map<number, StoredImage>()
  readonly #aliases = new Map<number, Reference>()

  constructor(merge: ImageMerge) {
    this.#merge = merge
    this.#values = new ValueMerge({
      conflicts: merge.conflicts,
      objectOf: (side, number) => merge.sides.objectOf(side, number),
      isProtected: (number) => merge.protectedNumbers.has(number),
      isLeftToReaders: merge.isLeftToReaders,
      conflictsGoTo: merge.conflictsGoTo,
      put: (number, value) => this.#put.set(number, value),
      alias: (from, to) => this.#aliases.set(from, to),
    })
  }

  run(): readonly StoredImage[] {
    const { sides, images } = this.#merge
    for (const [number, own] of sides.doubleFields) this.#aliases.set(own, { number, generation: 0 })
    const splitFields = sides.splitFields.map((number) => ({ number, generation: 0, isHidden: false, body: noBody }))
    for (const image of [...images, ...splitFields]) {
      const merged = image.number === trailerNumber ? this.#trailer(image) : this.#image(image)
      if (merged !== undefined) this.#merged.set(image.number, merged)
    }
    for (const [number, value] of this.#put) {
      const { bytes } = this.#threeObjects(number).theirs ?? { bytes: undefined }
      this.#merged.set(number, imageOf(number, { value, bytes }, this.#merged.get(number)))
    }
    for (const from of this.#aliases.keys()) this.#merged.delete(from)
    return [...this.#merged.values()].map((image) => this.#withAliases(image))
  }

  #image(image: StoredImage): StoredImage | undefined {
    const { sides, conflicts, protectedNumbers } = this.#merge
    const { number, isHidden } = image
    if (isHidden) return isFormerNumber(image) ? image : undefined
    const { base, theirs, ours } = this.#threeObjects(number)
    if (base === undefined && theirs === undefined) return image
    if (protectedNumbers.has(number)) {
      if (sides.isChangedByOurs(number)) {
        conflicts.report({ objectNumber: number, path: null, ...changed, kept: 'version', reason: 'locked' })
      }
      return undefined
    }
    if (!sides.isChangedByTheirs(number) && !sides.isSplit(number)) {
      return protectedNumbers.size === 0 || ours === undefined ? image : this.#object(image, { base, theirs, ours })
    }
    if (ours === undefined) {
      conflicts.removed(number, 'layer')
      return image
    }
    if (theirs === undefined) {
      if (sides.isChangedByOurs(number)) conflicts.removed(number, 'version')
      return undefined
    }
    return this.#object(image, { base, theirs, ours })
  }

  #object(image: StoredImage, { base, theirs, ours }: ThreeObjects): StoredImage | undefined {
    if (ours === undefined || theirs === undefined) return undefined
    // A field and its widget, one object in the version, become two.
    if (isSameObject(ours, theirs)) return this.#merge.sides.isSplitByOursAlone(image.number) ? image : undefined
    const { sides, conflicts, isLeftToReaders } = this.#merge
    if (isLeftToReaders && isOnlyDrawn(ours, theirs, (number) => sides.objectOf('ours', number))) {
      conflicts.loseDrawing()
      return undefined
    }
    const at = { objectNumber: image.number, path: '' }
    if ([base, theirs, ours].some((object) => object?.bytes !== undefined))
      return this.#stream(image, { base, theirs, ours })
    const values = this.#withReserved(image.number, { base: base?.value, theirs: theirs.value, ours: ours.value })
    const three = { base: values.base, theirs: values.theirs, ours: values.ours }
    if (isDictionary(three.theirs) && isDictionary(three.ours)) {
      return imageOf(image.number, { value: this.#values.mergeDictionaries(at, three), bytes: undefined }, image)
    }
    if (isArray(three.theirs) && isArray(three.ours)) {
      const value = this.#values.mergeArrays(at, three) ?? 'null'
      return imageOf(image.number, { value, bytes: undefined }, image)
    }
    const value = this.#values.mergeEntry(at, '', three)
    return value === undefined ? undefined : imageOf(image.number, { value, bytes: undefined }, image)
  }

  /** Merges streams as a whole. Appearances and metadata that both sides changed are written again later. */
  #stream(image: StoredImage, { base, theirs, ours }: ThreeObjects): StoredImage | undefined {
    if (isSameObject(ours, base)) return undefined
    if (isSameObject(theirs, base)) return image
    if (isOf(theirs, '/Type', '/Metadata')) return undefined
    const kept = this.#merge.conflictsGoTo
    if (!isOf(ours, '/Subtype', '/Form')) {
      this.#merge.conflicts.report({
        objectNumber: image.number,
        path: null,
        ...changed,
        kept,
        reason: 'both-changed',
      })
    }
    return kept === 'layer' ? image : undefined
  }

  #trailer(image: StoredImage): StoredImage | undefined {
    const { base, theirs, ours } = this.#threeObjects(trailerNumber)
    const at = { objectNumber: trailerNumber, path: '' }
    const three = { base: base?.value, theirs: theirs?.value, ours: ours?.value }
    const value = this.#values.mergeDictionaries(at, three)
    return theirs !== undefined && isSame(value, theirs.value)
      ? undefined
      : imageOf(trailerNumber, { value, bytes: undefined }, image)
  }

  /**
   * Replaces inline annotations by references to the numbers reserved for them, because either side may have turned
   * them into objects, anywhere in the list.
   */
  #withReserved(
    page: number,
    { base, theirs, ours }: Readonly<Record<Side, Value | undefined>>,
  ): Record<Side, Value | undefined> {
    const annots = isDictionary(base) ? base.get('/Annots') : undefined
    const reserved = this.#merge.inline.filter((one) => one.page === page)
    const names = new Map<string, Reference>()
    for (const { baseIndex, objectNumber } of reserved) {
      const item = itemsOf(annots)[baseIndex]
      const isUsed =
        this.#merge.sides.objectOf('theirs', objectNumber) !== undefined ||
        this.#merge.images.some(({ number }) => number === objectNumber)
      if (item !== undefined && isUsed) names.set(printed(item), { number: objectNumber, generation: 0 })
    }
    if (names.size === 0) return { base, theirs, ours }
    const replaced = (value: Value | undefined): Value | undefined => {
      if (!isDictionary(value)) return value
      const list = value.get('/Annots')
      if (!isArray(list)) return value
      return new Map([...value, ['/Annots', list.map((item) => names.get(printed(item)) ?? item)]])
    }
    return { base: replaced(base), theirs: replaced(theirs), ours: replaced(ours) }
  }

  #threeObjects(number: number): ThreeObjects {
    const { sides } = this.#merge
    return {
      base: sides.objectOf('base', number),
      theirs: sides.objectOf('theirs', number),
      ours: sides.objectOf('ours', number),
    }
  }

  #withAliases(image: StoredImage): StoredImage {
    if (this.#aliases.size === 0) return image
    const parsed = parseBody(contentOf(image.body))
    const value = isFormerNumber(image)
      ? this.#withFieldsNow(parsed.value)
      : withoutDoubles(withReferences(parsed.value, (one) => this.#aliases.get(one.number) ?? one))
    return isSame(value, parsed.value) ? image : imageOf(image.number, { ...parsed, value }, image)
  }

  /** Replaces numbers of fields in undo data, which are integers: what it refers to must not be kept alive by it. */
  #withFieldsNow(value: Value): Value {
    if (!isDictionary(value)) return value
    const fieldNow = (entry: Value): Value => {
      const field = typeof entry === 'string' ? this.#aliases.get(Number(entry)) : undefined
      return field === undefined ? entry : String(field.number)
    }
    return new Map([...value].map(([key, entry]) => [key, numberKeys.has(key) ? fieldNow(entry) : entry]))
  }
}

const numberKeys: ReadonlySet<string> = new Set(['/Field', '/Parted'])

interface ThreeObjects {
  readonly base: ParsedObject | undefined
  readonly theirs: ParsedObject | undefined
  readonly ours: ParsedObject | undefined
}

/** Placeholder body of fields that the layer has no object for. */
const noBody = Buffer.from('null')

const changed = { version: 'changed', layer: 'changed' } as const

function isOf(object: ParsedObject | undefined, key: string, name: string): boolean {
  return object !== undefined && isDictionary(object.value) && object.value.get(key) === name
}

const isFormerNumber = ({ body }: StoredImage): boolean =>
  body instanceof Uint8Array && formerNumber.test(Buffer.from(body).toString('latin1'))

function imageOf(number: number, { value, bytes }: ParsedObject, former: StoredImage | undefined): StoredImage {
  const { generation = 0, isHidden = false } = former ?? {}
  return { number, generation, isHidden, body: bodyText(printed(value), bytes) }
}

/** Removes repeated members of a list, if two objects of both sides became one. */
function withoutDoubles(value: Value): Value {
  if (isArray(value)) return value.every(isReference) ? uniqueOf(value) : value
  if (!isDictionary(value)) return value
  const entries: Dictionary = value
  return new Map([...entries].map(([key, entry]) => [key, sets.has(key) && isArray(entry) ? uniqueOf(entry) : entry]))
}

const uniqueOf = (list: readonly Value[]): readonly Value[] => [
  ...new Map(list.map((item) => [printed(item), item])).values(),
]
