// The open documents of a thread, least recently used out first. They hold memory outside of JavaScript's, so each is
// closed explicitly when it leaves.
import { createHmac, randomBytes } from 'node:crypto'
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
  /** Passwords are part of the name, as a hash under a key that dies with the thread. */
  readonly #secret = randomBytes(32)
  /** Open document that is handed over instead of destroyed. */
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

  /** The open copy under exactly this key and password, or a new one. It stays open at least until the next call. */
  get(source: PdfSource): OpenDocument {
    const name = this.#nameOf(source)
    const known = this.#documents.get(name)
    if (known !== undefined) return known
    const opened = this.#open(source)
    this.keep(source, opened)
    return opened
  }

  /** The same, but it is no longer kept here: whoever takes it closes it or gives it back with `keep`. */
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
    // A document above the bound is kept alone rather than not at all: somebody is about to use it.
    const size = Math.max(1, Math.min(source.sizeBytes, this.#documents.maxSize))
    this.#documents.set(this.#nameOf(source), document, { size })
  }

  /** Closes the copy under this key, if there is one. */
  drop(source: PdfSource): void {
    this.#documents.delete(this.#nameOf(source))
  }

  /** Closes the copies of a document: its bytes may not be what they were. */
  clear(): void {
    this.#documents.clear()
  }

  #nameOf({ key, password }: PdfSource): string {
    if (password === undefined) return key
    return `${key}#${createHmac('sha256', this.#secret).update(password).digest('base64')}`
  }
}
