// Opens a file strictly: from its bytes alone, in ranges, and without any repair.
import { RangedFile } from './bytes/ranged-file.js'
import { readChain } from './cross-references/chain.js'
import { headerOffset } from './cross-references/file-end.js'
import { Security } from './encryption/security.js'
import { decodeFilters, filtersOf } from './filters/decode-filters.js'
import { ObjectStream } from './object-stream.js'
import { readReferences } from './references/read-references.js'
import type { ReferenceGraph } from './references/reference-graph.js'
import { type FileEntry, type ObjectReader, RevisionView, type StreamEntry } from './revision-view.js'
import { NotStrict, type OpenStrictDocument } from './strict-document.js'
import { strictLimits } from './strict-limits.js'
import { type IndirectObject, parseObject } from './syntax/parse-object.js'
import type { StrictDictionary, StrictStream } from './values.js'
import { isSame, ofKind } from './values-of.js'
import { WeightedCache } from './weighted-cache.js'

export interface StrictOptions {
  /** User or owner password in UTF-8; without one, the empty user password is tried. */
  readonly password?: Uint8Array | undefined
  /** Bytes that follow the file, such as the update section of a layer. */
  readonly section?: Uint8Array | undefined
  /** References of the file that were read before. */
  readonly references?: ReferenceGraph | undefined
}

/**
 * Opens a file. Reads its cross-reference sections; objects are read on demand. Throws `NotStrict` for a file whose
 * structure is ambiguous, and its subclass `LockedFile` if the password does not open it.
 */
export function openStrict(path: string, { password, section, references }: StrictOptions = {}): OpenStrictDocument {
  const source = new RangedFile(path, section)
  try {
    return new OpenedDocument(source, password, references)
  } catch (error) {
    source.close()
    throw error
  }
}

/** Returns true if the file has a PDF header, also behind leading junk. Throws errors of the file system. */
export function hasHeader(path: string): boolean {
  const source = new RangedFile(path)
  try {
    headerOffset(source)
    return true
  } catch (error) {
    if (error instanceof NotStrict) return false
    throw error
  } finally {
    source.close()
  }
}

/** Object of a stream, and the revision in which it was read. */
interface Origin {
  readonly id: { readonly number: number; readonly generation: number }
  readonly view: RevisionView
}

/**
 * True if the object reads the same in every revision that contains the byte after it: streams are excluded, whose length
 * may be an object of the revision.
 */
const isShared = ({ end, value }: IndirectObject, view: RevisionView): boolean =>
  ofKind(value, 'stream') === undefined && end < view.end

class OpenedDocument implements OpenStrictDocument, ObjectReader {
  readonly sizeBytes: number
  readonly revisions: readonly RevisionView[]
  readonly #source: RangedFile
  readonly #origins = new WeakMap<StrictStream, Origin>()
  readonly #objects = new WeightedCache<string, IndirectObject>(strictLimits.cachedObjectBytes)
  readonly #streams = new WeightedCache<string, ObjectStream>(strictLimits.cachedStreamBytes)
  /** References of all objects in the file, without the section behind it. */
  #references: ReferenceGraph | undefined
  readonly #security: { readonly handler: Security; readonly number: number | undefined } | undefined

  constructor(source: RangedFile, password: Uint8Array | undefined, references: ReferenceGraph | undefined) {
    this.#source = source
    this.#references = references
    this.sizeBytes = source.sizeBytes
    const origin = headerOffset(source)
    const views: RevisionView[] = []
    for (const { end, sections } of readChain(source, origin)) {
      views.push(new RevisionView(views.length, end, sections, views[views.length - 1], this))
    }
    this.revisions = views
    this.#refuseDifferingTrailers()
    this.#security = this.#openSecurity(password)
    // The values read so far, `/Encrypt` and its objects, were not decrypted.
    this.#objects.clear()
    this.#streams.clear()
  }

  get isEncrypted(): boolean {
    return this.#security !== undefined
  }

  rawBytes(stream: StrictStream): Uint8Array {
    const bytes = this.#source.slice(stream.offset, stream.length)
    const { id, view } = this.#originOf(stream)
    if (this.#security === undefined) return bytes
    return this.#security.handler.decryptStream(bytes, stream.dictionary, id, (value) => view.resolve(value))
  }

  decodedBytes(stream: StrictStream): Uint8Array {
    const { view } = this.#originOf(stream)
    const resolve = view.resolve.bind(view)
    return decodeFilters(this.rawBytes(stream), filtersOf(stream.dictionary, resolve), resolve)
  }

  bytes(offset: number, length: number): Uint8Array {
    return this.#source.slice(offset, length)
  }

  close(): void {
    this.#source.close()
  }

  fileObject(number: number, entry: FileEntry, view: RevisionView): IndirectObject {
    const cached = this.#cachedObject(entry, view)
    const object = cached ?? this.#readObject(number, entry, view)
    if (object.number !== number || object.generation !== entry.generation) {
      throw new NotStrict('Another object is at the offset of an entry', entry.offset)
    }
    if (cached !== undefined) return cached
    const key = isShared(object, view) ? `${entry.offset}` : `${view.index} ${entry.offset}`
    return this.#objects.set(key, object, object.end - object.offset)
  }

  #cachedObject({ offset }: FileEntry, view: RevisionView): IndirectObject | undefined {
    const shared = this.#objects.get(`${offset}`)
    return shared !== undefined && isShared(shared, view) ? shared : this.#objects.get(`${view.index} ${offset}`)
  }

  streamObject(number: number, entry: StreamEntry, view: RevisionView) {
    return this.#containerOf(number, entry, view).value(number, entry.index)
  }

  references(view: RevisionView): ReferenceGraph {
    const isInFile = ({ xrefOffset }: RevisionView) => xrefOffset < this.#source.fileBytes
    if (!isInFile(view)) return this.#readReferences(this.revisions)
    this.#references ??= this.#readReferences(this.revisions.filter(isInFile))
    return this.#references
  }

  #readReferences(views: readonly RevisionView[]): ReferenceGraph {
    return readReferences({
      source: this.#source,
      entries: entriesOf(views),
      memberBytes: ({ number, entry, revision }) => {
        const view = this.revisions[revision]
        if (view === undefined) throw new NotStrict(`There is no revision ${revision}`)
        return this.#containerOf(number, entry, view).bytesOf(number, entry.index)
      },
    })
  }

  #containerOf(number: number, { stream }: StreamEntry, view: RevisionView): ObjectStream {
    const container = view.locate(stream)
    const member = view.locate(number)
    if (container?.entry.kind !== 'file' || container.entry.generation !== 0 || member === undefined) {
      throw new NotStrict(`Object stream ${stream} is missing`)
    }
    // A newer stream would silently redefine objects that its revision does not list.
    if (container.revision > member.revision) throw new NotStrict(`Object stream ${stream} is replaced`)
    const key = `${view.index} ${container.entry.offset}`
    const objects = this.#streams.get(key)
    if (objects !== undefined) return objects
    const value = ofKind(this.fileObject(stream, container.entry, view).value, 'stream')
    if (value === undefined) throw new NotStrict(`Object ${stream} is not a stream`, container.entry.offset)
    const opened = new ObjectStream(value, this.decodedBytes(value))
    return this.#streams.set(key, opened, opened.sizeBytes)
  }

  #readObject(number: number, { offset }: FileEntry, view: RevisionView): IndirectObject {
    if (offset >= view.end) throw new NotStrict('An entry points outside of its revision', offset)
    const parsed = parseObject(this.#source, {
      offset,
      limit: view.end,
      lengthOf: (length) => view.lengthOf(number, length),
    })
    const security = this.#security
    const isPlain = security === undefined || security.number === parsed.number
    const value = isPlain ? parsed.value : security.handler.decryptStrings(parsed.value, parsed)
    const stream = ofKind(value, 'stream')
    if (stream !== undefined) this.#origins.set(stream, { id: parsed, view })
    return { ...parsed, value }
  }

  #originOf(stream: StrictStream): Origin {
    const origin = this.#origins.get(stream)
    if (origin === undefined) throw new NotStrict('A stream is not of this file', stream.offset)
    return origin
  }

  get #newest(): RevisionView {
    const newest = this.revisions[this.revisions.length - 1]
    if (newest === undefined) throw new NotStrict('The file has no revision')
    return newest
  }

  /** Refuses trailers with different values of entries that readers take from different trailers. */
  #refuseDifferingTrailers(): void {
    const { trailer } = this.#newest
    for (const view of this.revisions) {
      if (ofKind(view.trailer.entries.get('Root'), 'reference') === undefined) {
        throw new NotStrict('A trailer names no catalog', view.xrefOffset)
      }
      const keys = trailer.entries.has('Encrypt') ? ['Encrypt', 'ID'] : ['Encrypt']
      const isDifferent = keys.some((key) => !isSame(constantEntry(view.trailer, key), constantEntry(trailer, key)))
      if (isDifferent) throw new NotStrict('Trailers disagree about the encryption', view.xrefOffset)
    }
  }

  #openSecurity(password: Uint8Array | undefined) {
    const { trailer } = this.#newest
    const given = trailer.entries.get('Encrypt') ?? null
    if (given === null) return undefined
    const resolve = this.#newest.resolve.bind(this.#newest)
    const dictionary = ofKind(resolve(given), 'dictionary')
    if (dictionary === undefined) throw new NotStrict('/Encrypt is not a dictionary')
    const id = ofKind(constantEntry(trailer, 'ID'), 'string')?.bytes ?? new Uint8Array()
    const handler = new Security(dictionary, id, resolve, password)
    return { handler, number: ofKind(given, 'reference')?.number }
  }
}

function* entriesOf(views: readonly RevisionView[]) {
  for (const view of views) yield* view.ownEntries()
}

/** Returns what no update changes in an entry of the trailer: of `/ID`, its first string. */
function constantEntry(trailer: StrictDictionary, key: string) {
  const value = trailer.entries.get(key)
  return key === 'ID' ? (ofKind(value, 'array')?.items[0] ?? value) : value
}
