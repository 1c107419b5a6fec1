// Changes a PDF like the server, in-process: applies ops, stores the overlay that rows of a layer would contain, and returns
// the results and the download.
//
//     const layer = layerOf(t, annotatedPdf({ … }))
//     const { items, undo, effects, images } = await layer.apply({ type: 'annotations.delete', ref: { … } })
//     await layer.undo(undo)                         // steps as the job answered them; answers like `apply`
//     await rejects(layer.apply(op), 'ChangeConflict')  // the layer is then as it was, in a new open copy
//     layer.reads(t).annotations(3)                  // any read of what the layer is now, opened from its images
//     layer.cold()                                   // drops the hot copy: what follows is opened from the images
//     layer.sent()                                   // path of base + delta section, for qpdf, poppler or openFile
//
// Several ops of one change are several arguments, or `layer.change({ ops, now, author, resources })`. Edits beyond ops are
// made with `layer.alter((change) => { change.touch(…) … })`.
import { appendFileSync, copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Test } from 'tap'
import { Change } from '../../../workers/change/change.js'
import type { Resource, UndoStep } from '../../../workers/change/unfinished-item.js'
import { JobRefusal } from '../../../workers/contract/job-refusal.js'
import { HotDocuments } from '../../../workers/document/hot-documents.js'
import type { OpenDocument } from '../../../workers/document/open-document.js'
import { openFile } from '../../../workers/document/open-file.js'
import { asTask } from '../../../workers/engine/library.js'
import { pageFacts } from '../../../workers/intake/page-facts.js'
import { type ChangeInput, type ChangeOutput, change } from '../../../workers/jobs/change.js'
import { delta } from '../../../workers/jobs/delta.js'
import { limits } from '../../../workers/limits.js'
import type { InlineAnnotation, PdfSource } from '../../../workers/messages/task.js'
import type { ObjectImage } from '../../../workers/objects/object-image.js'
import { type Reads, readsOfFile } from './reads.js'
import { Workshop } from './workshop.js'

export interface Op {
  readonly type: string
  readonly [member: string]: unknown
}

export interface ChangeRequest {
  readonly ops?: readonly Op[]
  readonly undo?: readonly UndoStep[] | null
  /** Milliseconds since 1970. */
  readonly now?: number
  readonly author?: string | null
  readonly resources?: Readonly<Record<string, { readonly bytes: Uint8Array } & Partial<Resource>>>
  readonly protection?: ChangeInput['protection']
}

export interface LayerOptions {
  readonly password?: string
}

export const layerOf = (t: Test, bytes: Uint8Array, options: LayerOptions = {}): ChangingLayer => {
  const layer = new ChangingLayer(Workshop.of(t), bytes, options)
  t.teardown(() => layer.cold())
  return layer
}

/** 2026-02-03 04:05:06 UTC. */
export const changedAt = Date.UTC(2026, 1, 3, 4, 5, 6)

export class ChangingLayer {
  readonly #workshop: Workshop
  readonly #hot = new HotDocuments(openFile, { countMax: 4, bytesMax: limits.hotDocumentBytesMax })
  readonly #images = new Map<number, ObjectImage>()
  readonly #inline: readonly InlineAnnotation[]
  #base: PdfSource
  #promoted: readonly InlineAnnotation[] = []
  #nextObject: number
  #changes = 0
  #files = 0

  constructor(workshop: Workshop, bytes: Uint8Array, { password }: LayerOptions) {
    this.#workshop = workshop
    this.#base = workshop.source(bytes, password === undefined ? {} : { password: Buffer.from(password) })
    const document = openFile(this.#base)
    // Ingest reserves object numbers for inline annotations, in page order.
    this.#nextObject = document.pdf.countObjects()
    this.#inline = pageFacts(document).flatMap(({ objectNumber, inlineAnnotations }) =>
      inlineAnnotations.map((baseIndex) => ({
        page: objectNumber,
        baseIndex,
        objectNumber: this.#nextObject++,
      })),
    )
    document.destroy()
  }

  /** Base of the layer, which a redaction replaces. */
  get basePath(): string {
    return this.#base.path
  }

  get nextObject(): number {
    return this.#nextObject
  }

  /** Images as stored in rows of the layer, including hidden ones. */
  get images(): readonly ObjectImage[] {
    return [...this.#images.values()].toSorted((one, other) => one.number - other.number)
  }

  /** The layer as a task names it, with its images. */
  get source(): PdfSource {
    return this.#source(this.images)
  }

  /** Numbers that were set aside for inline annotations. */
  get inline(): readonly InlineAnnotation[] {
    return this.#inline
  }

  get promoted(): readonly InlineAnnotation[] {
    return this.#promoted
  }

  /** Uses up object numbers, like another layer of the document. */
  passNumbers(count: number): void {
    this.#nextObject += count
  }

  async apply(...ops: readonly Op[]): Promise<ChangeOutput> {
    return await this.change({ ops })
  }

  /** Runs undo steps of a change, converted to JSON and back like by the server. */
  async undo(steps: readonly UndoStep[] | null): Promise<ChangeOutput> {
    return await this.change({ undo: steps })
  }

  async change(request: ChangeRequest): Promise<ChangeOutput> {
    const { ops, undo, now = changedAt, author = 'Ada', resources = {}, protection = null } = request
    if (undo === null) throw new Error('The change cannot be undone')
    const work: ChangeInput['work'] =
      undo === undefined ? { kind: 'ops', ops: overJson(ops ?? []) } : { kind: 'undo', steps: overJson(undo) }
    const input = {
      work,
      keyAfter: this.#keyOf(this.#changes + 1),
      nextObject: this.#nextObject,
      numbersMax: Number.POSITIVE_INFINITY,
      documentId: 'document',
      stamp: { now, author },
      inline: this.#inline,
      resources: this.#filesOf(resources),
      protection,
      rewrittenPath: this.#path('rewritten.pdf'),
    }
    const changed = await this.#asked((source) => asTask(() => change.run({ source, ...input }, this.#tools())))
    this.#commit(changed)
    return changed
  }

  /** Makes a change by hand, through the same entry point as every op. */
  async alter(make: (change: Change) => void, more: { numbersMax?: number } = {}): Promise<readonly ObjectImage[]> {
    const document = await this.#asked((source) => this.#hot.take(source))
    try {
      const change = new Change(document, {
        nextObject: this.#nextObject,
        stamp: { now: changedAt, author: 'Ada' },
        inline: this.#inline,
        resources: {},
        itemsMax: limits.itemsMax,
        ...more,
      })
      make(change)
      const images = change.images()
      this.#commit({ images, nextObject: change.nextObject, rewritten: null })
      this.#hot.keep(this.#source(undefined), document)
      return images
    } catch (error) {
      document.destroy()
      throw error
    }
  }

  /** Lends the open copy in its current state; the caller must not store or alter it. */
  async open<Answer>(use: (document: OpenDocument) => Answer): Promise<Answer> {
    return await this.#asked((source) => use(this.#hot.get(source)))
  }

  /** Reads everything and checks it against the schemas. */
  reads(t: Test): Reads {
    return readsOfFile(t, this.#source(this.images))
  }

  /** Closes the open copies. */
  cold(): void {
    this.#hot.clear()
  }

  /** Returns the path of a new file with the download: the base, followed by one section. */
  sent(): string {
    const path = this.#path('sent.pdf')
    copyFileSync(this.#base.path, path)
    if (this.#images.size === 0) return path
    appendFileSync(path, this.section())
    return path
  }

  /** Returns the section only. */
  section(): Buffer {
    const path = this.#path('section')
    void delta.run({ source: this.#source(this.images), path }, this.#tools())
    const bytes = readFileSync(path)
    rmSync(path)
    return bytes
  }

  #commit({ images, nextObject, rewritten, ...changed }: Committed): void {
    this.#changes++
    this.#nextObject = Math.max(this.#nextObject, nextObject)
    if (rewritten !== null) {
      this.#images.clear()
      this.#base = { ...this.#base, path: rewritten.path, sizeBytes: rewritten.sizeBytes }
    }
    for (const image of images) this.#images.set(image.number, structuredClone(image))
    this.#promoted = [...this.#promoted, ...(changed.promoted ?? [])]
  }

  /** Reads first without the images, and again with them when they are requested. */
  async #asked<Answer>(ask: (source: PdfSource) => Answer | Promise<Answer>): Promise<Answer> {
    try {
      return await ask(this.#source(this.#images.size === 0 ? [] : undefined))
    } catch (error) {
      if (!(error instanceof JobRefusal) || error.code !== 'OverlayWanted') throw error
      return await ask(this.#source(this.images))
    }
  }

  #source(images: readonly ObjectImage[] | undefined): PdfSource {
    const overlay = { nextObject: this.#nextObject, promoted: this.#promoted }
    return {
      ...this.#base,
      key: this.#keyOf(this.#changes),
      overlay: images === undefined ? overlay : { ...overlay, images },
    }
  }

  readonly #keyOf = (changes: number): string => `${this.#base.key}@${changes}`

  #tools(): Parameters<typeof change.run>[1] {
    const hot = this.#hot
    return { open: hot.get.bind(hot), take: hot.take.bind(hot), keep: hot.keep.bind(hot), limits }
  }

  #filesOf(resources: NonNullable<ChangeRequest['resources']>): Readonly<Record<string, Resource>> {
    return Object.fromEntries(
      Object.entries(resources).map(([key, { bytes, ...facts }]) => {
        const path = this.#path(`resource-${key}`)
        writeFileSync(path, bytes)
        const known = { contentType: 'application/octet-stream', fileName: undefined }
        return [key, { ...known, ...facts, path, sizeBytes: bytes.byteLength }]
      }),
    )
  }

  #path(name: string): string {
    return this.#workshop.path(`${++this.#files}-${name}`)
  }
}

interface Committed extends Pick<ChangeOutput, 'images' | 'nextObject' | 'rewritten'> {
  readonly promoted?: readonly InlineAnnotation[]
}

const overJson = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value))
