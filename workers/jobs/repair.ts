// Writes the working copy of a file whose faults were detected after ingest: when a change met a misplaced object, or
// when the password to an encrypted file was given.

import { JobRefusal } from '../contract/job-refusal.js'
import { OpenDocument } from '../document/open-document.js'
import { openFile } from '../document/open-file.js'
import { forceRepair } from '../intake/force-repair.js'
import { highestObject } from '../intake/highest-object.js'
import { highestReferenced } from '../intake/referenced-numbers.js'
import { separateAnnotations, sharesAnnotations } from '../intake/shared-annotations.js'
import { type WorkingCopy, type WorkingReason, writeWorkingCopy } from '../intake/working-copy.js'
import type { Job, OnDocument } from './job.js'

export interface RepairInput extends OnDocument {
  /** Path in the staging folder at which the copy is written; must not exist. */
  readonly workingPath: string
  /**
   * First object number that is unused in all layers of the document; undefined if a layer edits objects that pages
   * share.
   */
  readonly separateFrom: number | undefined
}

export interface RepairResult {
  readonly working: WorkingCopy
  readonly highestObject: number
  /** The same without the objects that were made when annotations of shared pages were separated. */
  readonly highestFound: number
}

export const repair: Job<RepairInput, RepairResult> = {
  kind: 'read',
  deadline: { constantMs: 20_000, perMegabyteMs: 150 },
  run({ source: { path, password }, workingPath, separateFrom }) {
    const document = openFile({ path, ...(password === undefined ? {} : { password }) })
    try {
      const before = document.pages
      const isRepaired = forceRepair(document.pdf)
      const repaired = new OpenDocument(document.pdf, document.openedAs)
      // Layers, links and pins identify pages by object number.
      if (!isSame(before, repaired.pages)) throw new JobRefusal('MalformedPdf', 'The document cannot be repaired')
      const found = highestObject(repaired.pdf)
      const isSeparated = separateFrom !== undefined && sharesAnnotations(repaired)
      if (isSeparated) separate(repaired, separateFrom)
      const reasons: WorkingReason[] = isSeparated ? ['shared-annotations'] : []
      if (isRepaired || !isSeparated) reasons.unshift('repaired')
      const working = writeWorkingCopy(repaired, { path: workingPath, reasons, password })
      const highest = highestReferenced(working.path, document.pdf.countObjects() - 1)
      return { working, highestObject: highest, highestFound: isSeparated ? found : highest }
    } finally {
      document.destroy()
    }
  },
}

function separate(document: OpenDocument, separateFrom: number): void {
  while (document.pdf.countObjects() < separateFrom) document.pdf.createObject()
  separateAnnotations(document)
}

const isSame = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((page, index) => page === other[index])
