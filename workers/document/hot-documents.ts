// Cache of a thread's open documents, evicted least recently used first. Documents occupy memory outside of the
// JavaScript heap and are closed explicitly on eviction.
import { createHmac, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { LRUCache } from 'lru-cache'
import type { PdfSource } from '../messages/task.js'
import type { OpenDocument } from './open-document.js'

export interface HotDocumentLimits {
  readonly countMax: number
  readonly bytesMax: number
}

export class HotDocuments {
  readonly #open: (source: PdfSource) => OpenDocument
  readonly #documents: LRUCache<string, OpenDocument>
  /** Key for hashing the passwords that are part of cache keys; it exists in this thread only. */
  readonly #secret = randomBytes(32)
  /** Open document that is passed on to the caller instead of being destroyed. */
  #taken: OpenDocument | undefined

  constructor(open: (source: PdfSource) => OpenDocument, { countMax, bytesMax }: HotDocumentLimits) {
    this.#open = open
    this.#documents = new LRUCache<string, OpenDocument>({
      max: countMax,
      maxSize: bytesMax,
      dispose: (document) => {
        if (document !== this.#taken) document.destroy()
      },
    })
  }

  get count(): number {
    return this.#documents.size
  }

  /**
   * Returns the open copy for exactly this key and password, or opens a new one. It stays open at least until the next
   * call.
   */
  get(source: PdfSource): OpenDocument {
    const name = this.#nameOf(source)
    const known = this.#documents.get(name)
    if (known !== undefined) return known
    const opened = this.#open(source)
    this.keep(source, opened)
    return opened
  }

  /** Same as `get`, but removes the copy from the cache: the caller closes it or returns it with `keep`. */
  take(source: PdfSource): OpenDocument {
    const name = this.#nameOf(source)
    const known = this.#documents.get(name)
    if (known === undefined) return this.#open(source)
    this.#taken = known
    this.#documents.delete(name)
    this.#taken = undefined
    return known
  }

  keep(source: PdfSource, document: OpenDocument): void {
    // A document above the size limit is cached alone rather than not at all, because it is about to be used.
    const size = Math.max(1, Math.min(source.sizeBytes, this.#documents.maxSize))
    this.#documents.set(this.#nameOf(source), document, { size })
  }

  /** Closes the copy for this key, if there is one. */
  drop(source: PdfSource): void {
    this.#documents.delete(this.#nameOf(source))
  }

  /** Closes the copies whose files were removed: an open file keeps its space on the disk, and its content. */
  closeRemoved(): void {
    for (const [name, { origin }] of this.#documents.entries()) {
      if (origin.path !== undefined && !existsSync(origin.path)) this.#documents.delete(name)
    }
  }

  /** Closes all copies of a document, because its bytes may have changed. */
  clear(): void {
    this.#documents.clear()
  }

  #nameOf({ key, password }: PdfSource): string {
    if (password === undefined) return key
    return `${key}#${createHmac('sha256', this.#secret).update(password).digest('base64')}`
  }
}
