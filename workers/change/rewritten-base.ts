// Writes a layer's own base file after content was removed permanently: it contains no unreachable object and keeps
// object numbers.
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

/**
 * `garbage=1` drops unreachable objects and keeps object numbers; without `compress`, pictures would grow many times.
 */
const saveOptions = 'garbage=1,compress'

/** Writes the base. Removes the file at the path on failure. Throws errors of the proofs. */
export function rewriteBase(change: Change, rewriting: RewriteInput): RewrittenBase {
  const { pdf, document } = change
  // These objects are stored for an undo that is no longer possible; damaged parts of the file may still refer to them.
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

/** Checks that the file has one revision and is undamaged, and runs the proofs on it. */
function prove({ proofs }: Change, { path, password }: RewriteInput): void {
  const written = openFile({ path, ...(password === undefined ? {} : { password }) })
  try {
    if (written.pdf.wasRepaired() || written.pdf.countVersions() !== 1) {
      throw new JobRefusal('MalformedPdf', 'The document cannot be rewritten')
    }
    for (const one of proofs) one(written)
  } finally {
    written.destroy()
  }
}
