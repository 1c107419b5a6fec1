// Files of a test on disk, as tasks name them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { PdfSource } from '../../../workers/messages/task.js'

/** The folder of a test is emptied whenever it is requested again. */
const workshops = new WeakMap<Test, Workshop>()

export class Workshop {
  #count = 0

  private constructor(readonly folder: string) {}

  static of(t: Test): Workshop {
    const known = workshops.get(t) ?? new Workshop(t.testdir())
    workshops.set(t, known)
    return known
  }

  /** Each call is another document. */
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
