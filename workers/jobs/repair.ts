// Writes the working copy of a file whose damage was discovered after ingestion: when a change met an object that is
// not where the file says, or when the password of an encrypted file was supplied.
import type { Job, OnDocument } from '../job.js'
import { forceRepair } from '../pdf/intake/force-repair.js'
import { type WorkingCopy, writeWorkingCopy } from '../pdf/intake/working-copy.js'
import { OpenDocument } from '../pdf/open-document.js'
import { openFile } from '../pdf/open-file.js'
import { JobRefusal } from '../task.js'

export interface RepairInput extends OnDocument {
  /** Path in the staging folder at which the copy is written; nothing exists there yet. */
  readonly workingPath: string
}

export interface Repaired {
  readonly working: WorkingCopy
  readonly highestObject: number
}

export const repair: Job<RepairInput, Repaired> = {
  kind: 'read',
  deadline: { constantMs: 20_000, perMegabyteMs: 150 },
  run({ source: { path, password }, workingPath }) {
    const document = openFile({ path, ...(password === undefined ? {} : { password }) })
    try {
      const before = document.pages
      forceRepair(document.pdf)
      const repaired = new OpenDocument(document.pdf, document.openedAs)
      // Layers, links and pins identify pages by object number.
      if (!isSame(before, repaired.pages)) throw new JobRefusal('MalformedPdf', 'The document cannot be repaired')
      const working = writeWorkingCopy(repaired, { path: workingPath, reasons: ['repaired'], password })
      return { working, highestObject: document.pdf.countObjects() - 1 }
    } finally {
      document.destroy()
    }
  },
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((page, index) => page === other[index])
