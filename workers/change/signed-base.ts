// The file under a layer as its signatures saw it: what a change sets back to a signed state is compared with that, byte by byte.
import type { OpenedFrom } from '../messages/task.js'
import { signatureSnapshot } from '../signatures/reading/snapshot.js'
import { LockedFile } from '../strict-reader/encryption/security.js'
import { openStrict } from '../strict-reader/open-strict.js'
import { NotStrict, type OpenStrictDocument, type StrictRevision } from '../strict-reader/strict-document.js'
import type { StrictStream } from '../strict-reader/values.js'

export class SignedBase {
  readonly #source: OpenedFrom
  #opened: OpenStrictDocument | undefined
  #revisions: readonly StrictRevision[] | undefined

  /** The edits of the source are not read. */
  constructor(source: OpenedFrom) {
    this.#source = source
  }

  /** Revisions that a signature covers, oldest first; none if the structure of the file is ambiguous. */
  get revisions(): readonly StrictRevision[] {
    this.#revisions ??= this.#read()
    return this.#revisions
  }

  /** Returns the bytes of a stream, decrypted, with its filters not decoded. */
  rawBytes(stream: StrictStream): Uint8Array {
    if (this.#opened === undefined) throw new Error('The stream is not of this file')
    return this.#opened.rawBytes(stream)
  }

  close(): void {
    this.#opened?.close()
  }

  #read(): readonly StrictRevision[] {
    try {
      const document = openStrict(this.#source.path, { password: this.#source.password })
      this.#opened = document
      const { revisions } = signatureSnapshot(document)
      const signed = new Set(
        revisions.filter(({ signatureIndex }) => signatureIndex !== null).map(({ index }) => index),
      )
      return document.revisions.filter(({ index }) => signed.has(index))
    } catch (error) {
      if (error instanceof NotStrict || error instanceof LockedFile) return []
      throw error
    }
  }
}
