// A layer's own base, written anew after something was taken out for good: nothing unreachable is in it, object numbers
// are kept.
import { rmSync } from 'node:fs'
import { JobRefusal } from '../contract/job-refusal.js'
import { openFile } from '../document/open-file.js'
import type { FileDigest } from '../file/digest.js'
import { saveHashedFile } from '../file/save-file.js'
import type { Change } from './change.js'

/** Rewritten base; size and hash are those of the file on disk. */
export interface RewrittenBase extends FileDigest {
  readonly path: string
}

export interface RewriteInput {
  readonly path: string
  /** Password that opens the document and the new file. */
  readonly password: Uint8Array | undefined
}

/** `garbage=1` drops what nothing refers to and keeps every number; without `compress` pictures would grow manyfold. */
const saveOptions = 'garbage=1,compress'

/** Nothing is left at the path when it fails. Throws what a proof throws. */
export function rewriteBase(change: Change, rewriting: RewriteInput): RewrittenBase {
  const { pdf, document } = change
  // Kept for an undo that cannot happen any more; some corner of the file may still refer to it.
  for (const number of document.hidden) pdf.deleteObject(number)
  try {
    const stored = saveHashedFile(pdf, saveOptions, rewriting.path)
    prove(change, rewriting)
    return { path: rewriting.path, ...stored }
  } catch (error) {
    rmSync(rewriting.path, { force: true })
    throw error
  }
}

/** A file of one revision, as sound as what it was made from. */
function prove({ proofs }: Change, { path, password }: RewriteInput): void {
  const written = openFile({ path, ...(password === undefined ? {} : { password }) })
  try {
    if (written.pdf.wasRepaired() || written.pdf.countVersions() !== 1) {
      throw new JobRefusal('MalformedPdf', 'The document cannot be written anew')
    }
    for (const one of proofs) one(written)
  } finally {
    written.destroy()
  }
}
