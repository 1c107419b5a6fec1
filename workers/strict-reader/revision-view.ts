// View of a file as one revision left it. An entry is looked up in the revision's own sections, then in older
// revisions.
import { type ByteSpan, type Entry, free, rangesOf, type Section, spansOf } from './cross-references/section.js'
import type { ListedEntry } from './references/read-references.js'
import type { ReferenceGraph } from './references/reference-graph.js'
import { NotStrict, type StrictPlace, type StrictRevision } from './strict-document.js'
import { strictLimits } from './strict-limits.js'
import type { IndirectObject } from './syntax/parse-object.js'
import type { StrictDictionary, StrictReference, StrictValue } from './values.js'
import { integerOf, ofKind } from './values-of.js'

/** Reads objects for the revisions of a document. */
export interface ObjectReader {
  /** Returns the object of a file entry, decrypted; it must have this number. */
  fileObject(number: number, entry: FileEntry, view: RevisionView): IndirectObject
  /** Returns the object of an entry in an object stream. */
  streamObject(number: number, entry: StreamEntry, view: RevisionView): StrictValue
  references(view: RevisionView): ReferenceGraph
}

export type FileEntry = Extract<Entry, { kind: 'file' }>
export type StreamEntry = Extract<Entry, { kind: 'object-stream' }>

export interface EntryInForce {
  readonly entry: Entry
  /** Revision whose sections list the entry. */
  readonly revision: number
}

export class RevisionView implements StrictRevision {
  readonly trailer: StrictDictionary
  readonly xrefOffset: number
  #listed: ReadonlySet<number> | undefined
  readonly #located = new Map<number, EntryInForce | undefined>()
  /** Object numbers of streams whose length is being looked up. */
  readonly #measuring = new Set<number>()

  constructor(
    readonly index: number,
    readonly end: number,
    readonly sections: readonly [Section, ...Section[]],
    private readonly older: RevisionView | undefined,
    private readonly reader: ObjectReader,
  ) {
    this.trailer = sections[0].trailer
    this.xrefOffset = sections[0].offset
  }

  get structure(): readonly ByteSpan[] {
    return this.sections.flatMap(spansOf)
  }

  get listed(): ReadonlySet<number> {
    if (this.#listed !== undefined) return this.#listed
    const numbers = new Set<number>()
    for (const section of this.sections) {
      for (const { first, count } of rangesOf(section)) {
        if (numbers.size + count > strictLimits.listedMax) {
          throw new NotStrict('A revision lists too many objects', this.xrefOffset)
        }
        for (let number = first; number < first + count; number++) numbers.add(number)
      }
    }
    this.#listed = numbers
    return numbers
  }

  generationOf(number: number): number | undefined {
    const entry = this.locate(number)?.entry
    if (entry?.kind === 'file') return entry.generation
    return entry?.kind === 'object-stream' ? 0 : undefined
  }

  sharesEntry(number: number, other: RevisionView): boolean {
    const [own, its] = [this.locate(number)?.entry ?? free, other.locate(number)?.entry ?? free]
    if (own.kind === 'file')
      return its.kind === 'file' && own.offset === its.offset && own.generation === its.generation
    if (own.kind === 'free') return its.kind === 'free'
    const isSameIndex = its.kind === 'object-stream' && own.stream === its.stream && own.index === its.index
    return isSameIndex && own.stream !== number && this.sharesEntry(own.stream, other)
  }

  object({ number, generation }: Pick<StrictReference, 'number' | 'generation'>): StrictValue {
    const entry = this.locate(number)?.entry
    if (entry === undefined || entry.kind === 'free' || this.generationOf(number) !== generation) return null
    return entry.kind === 'file'
      ? this.reader.fileObject(number, entry, this).value
      : this.reader.streamObject(number, entry, this)
  }

  resolve(value: StrictValue | undefined): StrictValue {
    let resolved = value ?? null
    for (let count = 0; ; count++) {
      const reference = ofKind(resolved, 'reference')
      if (reference === undefined) return resolved
      if (count === strictLimits.referencesMax) throw new NotStrict('References lead in a circle')
      resolved = this.object(reference)
    }
  }

  placeOf(number: number): StrictPlace | undefined {
    const entry = this.locate(number)?.entry
    if (entry?.kind === 'object-stream') return entry
    if (entry?.kind !== 'file') return undefined
    const { offset, end } = this.reader.fileObject(number, entry, this)
    return { kind: 'file', offset, end }
  }

  references(): ReferenceGraph {
    return this.reader.references(this)
  }

  /** Yields the entries that its own sections list, as far as no section of the same revision overrides them. */
  *ownEntries(): Generator<ListedEntry> {
    const { index: revision, end } = this
    const seen = this.sections.length > 1 ? new Set<number>() : undefined
    for (const section of this.sections) {
      for (const { first, count } of rangesOf(section)) {
        for (let number = first; number < first + count; number++) {
          const entry = seen?.has(number) ? undefined : section.entry(number)
          if (entry !== undefined) yield { number, entry, revision, end }
          seen?.add(number)
        }
      }
    }
  }

  /** Returns the entry in force, and the revision that it is from. */
  locate(number: number): EntryInForce | undefined {
    let located: EntryInForce | undefined
    for (let view: RevisionView | undefined = this; view !== undefined && located === undefined; view = view.older) {
      // An older revision that has located the object is not searched again: files have hundreds of revisions.
      if (view.#located.has(number)) {
        located = view.#located.get(number)
        break
      }
      for (const section of view.sections) {
        const entry: Entry | undefined = located === undefined ? section.entry(number) : undefined
        if (entry !== undefined) located = { entry, revision: view.index }
      }
    }
    this.#located.set(number, located)
    return located
  }

  /** Returns the length of the stream with this object number, from the value of its `/Length`; -1 if it is none. */
  lengthOf(number: number, value: StrictValue | undefined): number {
    if (this.#measuring.has(number)) throw new NotStrict('The length of a stream depends on the stream')
    this.#measuring.add(number)
    try {
      return integerOf(this.resolve(value)) ?? -1
    } finally {
      this.#measuring.delete(number)
    }
  }
}
