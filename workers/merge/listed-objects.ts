// Finds the objects that a new version may define differently from the old one. A version is usually the old file followed
// by further sections, and then only the objects that these sections list are compared.
import type { OpenDocument } from '../document/open-document.js'
import { numbersBehind } from '../file/cross-references.js'
import { FileBytes } from '../file/file-bytes.js'
import { lastSection } from '../file/revisions.js'

/** Bytes at the end of the old file that are compared. */
const tailBytes = 4096

/**
 * Returns the objects to compare: all objects of the new version if it does not begin with the old file. `theirs`: the
 * new version, open.
 */
export function listedByTheirs(basePath: string, theirsPath: string, theirs: OpenDocument): ReadonlySet<number> {
  const [base, version] = [new FileBytes(basePath), new FileBytes(theirsPath)]
  try {
    const before = lastSection(base)
    const offset = base.sizeBytes
    if (before !== undefined && isContinued(base, version)) {
      const numbers = numbersBehind(version, { offset, before })
      if (numbers !== undefined) return numbers
    }
  } finally {
    base.close()
    version.close()
  }
  return new Set(Array.from({ length: theirs.pdf.countObjects() }, (_, number) => number).slice(1))
}

function isContinued(base: FileBytes, version: FileBytes): boolean {
  if (version.sizeBytes <= base.sizeBytes) return false
  const from = Math.max(0, base.sizeBytes - tailBytes)
  const length = base.sizeBytes - from
  return base.text(from, length) === version.text(from, length)
}
