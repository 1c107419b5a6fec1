// Moves a layer over a new version of its document: a three-way merge of the old version, the new one and the pending
// edits. The result is the images of the layer over the new version.
import { Change } from '../change/change.js'
import type { EffectList } from '../change/effects.js'
import { JobRefusal } from '../contract/job-refusal.js'
import type { BehindReason, MergeConflicts } from '../contract/merge-conflict.js'
import type { OpenDocument } from '../document/open-document.js'
import { openFile } from '../document/open-file.js'
import { Reading } from '../document/reading.js'
import { bodyOf } from '../file/section/object-body.js'
import type { InlineAnnotation, OpenedFrom, StoredImage } from '../messages/task.js'
import { readMetadata } from '../metadata/metadata.js'
import { differences, pick, rewriteMetadata } from '../metadata/writing/write-metadata.js'
import { trailerNumber } from '../objects/object-image.js'
import { entry, objectNumberOf } from '../objects/values.js'
import { Conflicts } from './conflicts.js'
import { finishMerge } from './finish-merge.js'
import { isLeftToReaders } from './left-to-readers.js'
import { listedByTheirs } from './listed-objects.js'
import { changedPages, listsOf } from './lists-of-document.js'
import { mergeImages } from './merge-images.js'
import { parseBody } from './parse-body.js'
import { protectedNumbers } from './protected-fields.js'
import { withoutUnreachable } from './reachable.js'
import { isSameObject, Sides } from './sides.js'

export interface LayerMergeInput {
  /** The layer over its old version, with all images. */
  readonly layer: OpenedFrom
  /** File of the new version. */
  readonly onto: string
  /** Numbers reserved for annotations that the uploaded file stores inline. */
  readonly inline: readonly InlineAnnotation[]
  /** First object number that is unused in all layers of the document. */
  readonly nextObject: number
  /** Annotations that were stored inline and are objects in the layer or in the new version. */
  readonly promoted: readonly InlineAnnotation[]
  readonly itemsMax: number
  /** Side that wins where both changed the same: the version if it was redacted, so that nothing comes back. */
  readonly conflictsGoTo: 'layer' | 'version'
}

export interface MergedLayer {
  readonly state: 'merged'
  /** Images over the new version that the layer does not have in this form. */
  readonly images: readonly StoredImage[]
  /** Numbers of the images that do not change. */
  readonly kept: readonly number[]
  readonly conflicts: MergeConflicts
  /** True if some pending edits are not in the result, so that everything that the layer changed may look different. */
  readonly losesEdits: boolean
  /** Effects of what combines both sides, and so differs from either. */
  readonly effects: EffectList
  readonly nextObject: number
}

export type LayerMerge = MergedLayer | { readonly state: 'behind'; readonly reason: BehindReason }

/** Throws `MalformedPdf` if a file is damaged, and errors of opening. */
export function mergeLayer(input: LayerMergeInput): LayerMerge {
  const { layer, onto } = input
  const secret = layer.password === undefined ? {} : { password: layer.password }
  const opened: OpenDocument[] = []
  const open = (from: OpenedFrom): OpenDocument => {
    const document = openFile(from)
    opened.push(document)
    if (document.pdf.wasRepaired()) throw damaged()
    return document
  }
  try {
    const documents = {
      base: open({ path: layer.path, ...secret }),
      theirs: open({ path: onto, ...secret }),
      ours: open(layer),
    }
    return new LayerMerger(input, documents, (images) =>
      open({ path: onto, ...secret, overlay: overlayOf(input, images) }),
    ).run()
  } finally {
    for (const document of opened) document.destroy()
  }
}

const overlayOf = ({ nextObject, promoted }: LayerMergeInput, images: readonly StoredImage[]) => ({
  images,
  nextObject,
  promoted,
})

type Documents = Readonly<Record<'base' | 'theirs' | 'ours', OpenDocument>>

class LayerMerger {
  readonly #conflicts = new Conflicts()
  readonly #sides: Sides
  readonly #images: readonly StoredImage[]
  readonly #protected: ReadonlySet<number>

  constructor(
    private readonly input: LayerMergeInput,
    private readonly documents: Documents,
    private readonly open: (images: readonly StoredImage[]) => OpenDocument,
  ) {
    const { base, theirs } = documents
    this.#images = input.layer.overlay?.images ?? []
    const listed = listedByTheirs(input.layer.path, input.onto, theirs)
    this.#sides = new Sides({ base, theirs, images: this.#images, listedByTheirs: listed, inline: input.inline })
    this.#protected = protectedNumbers(new Reading(theirs, input.itemsMax))
  }

  run(): LayerMerge {
    const reason = this.#behindReason()
    if (reason !== undefined) return { state: 'behind', reason }
    const merged = mergeImages({
      sides: this.#sides,
      images: this.#images,
      conflicts: this.#conflicts,
      protectedNumbers: this.#protected,
      isLeftToReaders: this.#protected.size > 0 && isLeftToReaders(this.documents.theirs),
      inline: this.input.inline,
      conflictsGoTo: this.input.conflictsGoTo,
    })
    const document = this.open(merged)
    if (!isSameList(document.pages, this.#pagesAfter)) return { state: 'behind', reason: 'pages' }
    const change = this.#finish(document)
    const images = this.#resulting(merged, change)
    const check = this.open(images)
    if (!isSameList(check.pages, this.#pagesAfter)) throw damaged()
    const former = new Set(this.#images)
    return {
      state: 'merged',
      images: images.filter((image) => !former.has(image)),
      kept: images.filter((image) => former.has(image)).map(({ number }) => number),
      conflicts: this.#conflicts.list(),
      losesEdits: this.#conflicts.losesEdits,
      effects: change.effects.list(),
      nextObject: change.nextObject,
    }
  }

  #behindReason(): BehindReason | undefined {
    const { base, theirs, ours } = this.documents
    if (isSameList(ours.pages, base.pages)) return undefined
    if (!isSameList(theirs.pages, base.pages) && !isSameList(theirs.pages, ours.pages)) return 'pages'
    const removed = base.pages.filter((page) => !ours.hasPage(page))
    const { onPages } = listsOf(theirs, new Set(removed))
    return [...onPages].some((number) => this.#protected.has(number)) ? 'signed-page' : undefined
  }

  get #pagesAfter(): readonly number[] {
    const { base, theirs, ours } = this.documents
    return isSameList(theirs.pages, base.pages) ? ours.pages : theirs.pages
  }

  #finish(document: OpenDocument): Change {
    const { base, theirs, ours } = this.documents
    const change = new Change(document, {
      // The result must not depend on the time of the merge.
      stamp: { now: 0, author: null },
      inline: this.input.inline,
      resources: {},
      itemsMax: this.input.itemsMax,
      nextObject: this.input.nextObject,
    })
    const changedByOurs = new Set(this.#sides.changedByOurs)
    const changed = new Set([...this.#images.map(({ number }) => number), ...this.#sides.changedByTheirs])
    const pages = changedPages([base, theirs, ours], changed)
    finishMerge({
      change,
      sides: this.#sides,
      conflicts: this.#conflicts,
      pages,
      documents: this.documents,
      before: { base: listsOf(base, pages), theirs: listsOf(theirs, pages), ours: listsOf(ours, pages) },
      protectedNumbers: this.#protected,
      changedByOurs,
    })
    this.#writeMetadata(change)
    return change
  }

  /**
   * Writes the members that the layer changed again: metadata is in two places, and the text of XMP cannot be merged.
   */
  #writeMetadata(change: Change): void {
    const { base, ours } = this.documents
    const places = [base, this.documents.theirs].flatMap(({ trailer, catalog }) =>
      [entry(trailer, 'Info'), entry(catalog, 'Metadata')].flatMap((object) => objectNumberOf(object) ?? []),
    )
    if (!places.some((number) => this.#sides.isChangedByTheirs(number))) return
    const [before, after] = [base, ours].map((document) => readMetadata(new Reading(document, this.input.itemsMax)))
    if (before === undefined || after === undefined) return
    const patch = pick(after, differences(after, before))
    if (Object.keys(patch).length > 0) rewriteMetadata(change, patch)
  }

  /** Returns the images that differ from the version, without unreachable objects. */
  #resulting(merged: readonly StoredImage[], change: Change): readonly StoredImage[] {
    const images = new Map(merged.map((image) => [image.number, image]))
    for (const image of change.images()) {
      if (image.isHidden) images.delete(image.number)
      else images.set(image.number, image)
    }
    const { theirs } = this.documents
    for (const image of images.values()) if (this.#isOfVersion(image)) images.delete(image.number)
    const count = theirs.pdf.countObjects()
    return withoutUnreachable(
      images,
      (number) => number === trailerNumber || (number < count && this.#sides.objectOf('theirs', number) !== undefined),
    )
  }

  #isOfVersion({ number, isHidden, body }: StoredImage): boolean {
    if (isHidden || number === trailerNumber || !(body instanceof Uint8Array)) return false
    const { theirs } = this.documents
    // Entries may be in another order.
    return isSameObject(parseBody(bodyOf(theirs, theirs.pdf.newIndirect(number))), parseBody(body))
  }
}

const isSameList = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((page, index) => page === other[index])

const damaged = (): JobRefusal => new JobRefusal('MalformedPdf', 'The layer cannot be merged with the new version')
