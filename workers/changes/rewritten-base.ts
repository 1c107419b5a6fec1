// A layer's own base, written anew after something was taken out for good: nothing unreachable is in it, object numbers
// are kept.
import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { openFile } from '../pdf/open-file.js'
import { JobRefusal } from '../task.js'
import type { Change } from './change.js'

export interface RewrittenBase {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

export interface Rewriting {
  readonly path: string
  /** What opens the document opens the new file. */
  readonly password: Uint8Array | undefined
}

/** `garbage=1` drops what nothing refers to and keeps every number; without `compress` pictures would grow manyfold. */
const saveOptions = 'garbage=1,compress'

/** Nothing is left at the path when it fails. Throws what a proof throws. */
export function rewriteBase(change: Change, rewriting: Rewriting): RewrittenBase {
  const { pdf, document } = change
  // Kept for an undo that cannot happen any more; some corner of the file may still refer to it.
  for (const number of document.hidden) pdf.deleteObject(number)
  const buffer = pdf.saveToBuffer(saveOptions)
  try {
    const bytes = buffer.asUint8Array()
    writeFileSync(rewriting.path, bytes)
    prove(change, rewriting)
    return {
      path: rewriting.path,
      sizeBytes: bytes.length,
      sha256: createHash('sha256').update(buffer.asUint8Array()).digest('hex'),
    }
  } catch (error) {
    rmSync(rewriting.path, { force: true })
    throw error
  } finally {
    buffer.destroy()
  }
}

/** A file of one revision, as sound as what it was made from. */
function prove({ proofs }: Change, { path, password }: Rewriting): void {
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
