// The file that is read instead of an upload that cannot be used as it is: written once with unchanged object numbers
// and shared by all layers. Downloads still return the uploaded file.
import { rmSync } from 'node:fs'
import { JobRefusal } from '../contract/job-refusal.js'
import type { OpenDocument } from '../document/open-document.js'
import { openFile } from '../document/open-file.js'
import type { FileDigest } from '../file/digest.js'
import { saveHashedFile } from '../file/save-file.js'
import { dropUnreadable, forceRepair } from './force-repair.js'

export const workingReasons = [
  'repaired',
  'leading-junk',
  'page-tree',
  'shared-annotations',
  'circular-parents',
  'bare-fonts',
] as const
export type WorkingReason = (typeof workingReasons)[number]

export interface WorkingCopy extends FileDigest {
  readonly path: string
  readonly reasons: readonly WorkingReason[]
}

export interface WorkingCopyInput {
  readonly path: string
  readonly reasons: readonly WorkingReason[]
  readonly password: Uint8Array | undefined
}

/** Writes the copy, and removes the file at the path on failure. */
export function writeWorkingCopy(document: OpenDocument, { path, reasons, password }: WorkingCopyInput): WorkingCopy {
  try {
    if (document.pdf.wasRepaired()) dropUnreadable(document.pdf)
    const stored = saveHashedFile(document.pdf, '', path)
    prove(path, password, document.pages)
    return { path, reasons, ...stored }
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
}

/** Rejects a copy that itself needs repair now or later, or shows other pages. */
function prove(path: string, password: Uint8Array | undefined, pages: readonly number[]): void {
  const copy = openFile({ path, ...(password === undefined ? {} : { password }) })
  try {
    const isSame = copy.pages.length === pages.length && copy.pages.every((page, index) => page === pages[index])
    if (forceRepair(copy.pdf) || !isSame) throw new JobRefusal('MalformedPdf', 'The document cannot be repaired')
  } finally {
    copy.destroy()
  }
}
