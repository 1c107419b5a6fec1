// Temporary files of a test, as sources of tasks.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { PdfSource } from '../../../workers/messages/task.js'

/** Returns the folder of a test, which is emptied at every call. */
const workshops = new WeakMap<Test, Workshop>()

export class Workshop {
  #count = 0

  private constructor(readonly folder: string) {}

  static of(t: Test): Workshop {
    const known = workshops.get(t) ?? new Workshop(t.testdir())
    workshops.set(t, known)
    return known
  }

  /** Writes bytes to a new file, as the source of another document. */
  source(bytes: Uint8Array, facts: Partial<PdfSource> = {}): PdfSource {
    const document = `document-${++this.#count}`
    const path = this.path(`${document}.pdf`)
    writeFileSync(path, bytes)
    return { document, key: document, path, sizeBytes: bytes.byteLength, ...facts }
  }

  /** Path of a file that does not exist yet. */
  path(name: string): string {
    mkdirSync(this.folder, { recursive: true })
    return join(this.folder, name)
  }
}
