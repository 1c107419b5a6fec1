// Finds bytes of later revisions that belong to no object they list. Readers that repair a file search it for anything
// that looks like an object, and show that in place of the listed one.
import { MemoryBytes } from '../../../strict-reader/bytes/memory-bytes.js'
import { NotStrict, type StrictRevision } from '../../../strict-reader/strict-document.js'
import { Scanner } from '../../../strict-reader/syntax/scanner.js'
import type { Comparison } from './comparison.js'

/**
 * Makes the verdict indeterminate if a later revision has other bytes than white space and comments between its
 * objects.
 */
export function leaveUnlistedOpen(comparison: Comparison): void {
  const { document, before, after, findings } = comparison
  const revisions = document.revisions.slice(before.index + 1, after.index + 1)
  for (const revision of revisions) {
    const start = document.revisions[revision.index - 1]?.end ?? 0
    comparison.attempt({ holder: 0, path: '' }, () => {
      const at = unlistedAt(comparison, revision, start)
      if (at !== undefined) findings.leaveOpen('unlisted-bytes', { holder: 0, path: '' }, `At offset ${at}`)
    })
  }
}

function unlistedAt({ document }: Comparison, revision: StrictRevision, start: number): number | undefined {
  const places = [...revision.listed]
    .map((number) => revision.placeOf(number))
    .filter((place) => place?.kind === 'file')
    .filter(({ offset }) => offset >= start && offset < revision.end)
  const spans = [...places, ...revision.structure].sort((one, other) => one.offset - other.offset)
  let at = start
  for (const { offset, end } of spans) {
    if (offset > at && !isBlank(document.bytes(at, offset - at))) return at
    at = Math.max(at, end)
  }
  return undefined
}

function isBlank(bytes: Uint8Array): boolean {
  const scanner = new Scanner(new MemoryBytes(bytes), 0)
  try {
    scanner.skipSpace()
  } catch (error) {
    if (error instanceof NotStrict) return false
    throw error
  }
  return scanner.at === bytes.length
}
