// Follows the chain of cross-reference sections, and groups them by revision.
import type { Bytes } from '../bytes/bytes.js'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import { isSpace } from '../syntax/characters.js'
import { Scanner } from '../syntax/scanner.js'
import { lastStartxref, revisionEnd } from './file-end.js'
import { joinHybrid } from './hybrid.js'
import { isFirstSection } from './linearized.js'
import { doOverlap } from './ranges.js'
import { offsetIn, readSection } from './read-section.js'
import type { Section } from './section.js'

export interface RevisionSections {
  readonly end: number
  /**
   * Sections of the revision: the one that `startxref` names, and in a linearized file the main one. They list
   * different object numbers.
   */
  readonly sections: readonly [Section, ...Section[]]
}

/** Returns the revisions, oldest first. */
export function readChain(source: Bytes, origin: number): readonly RevisionSections[] {
  const sections = sectionsOf(source, origin)
  const revisions: RevisionSections[] = []
  for (let at = 0; at < sections.length; ) {
    const { group, read } = revisionSectionsAt(source, sections, at, origin)
    const [first] = group
    const last = group[group.length - 1] ?? first
    const markerEnd = revisionEnd(source, last.end, first.offset - origin, origin)
    const newer = revisions[0]?.sections[0]
    if (newer === undefined) refuseTrailingData(source, markerEnd)
    else if (markerEnd > newer.offset) throw new NotStrict('Cross-reference sections overlap', newer.offset)
    revisions.unshift({ end: newer === undefined ? source.sizeBytes : markerEnd, sections: group })
    at += read
  }
  return revisions
}

/** Returns all sections, newest first. */
function sectionsOf(source: Bytes, origin: number): readonly Section[] {
  const sections: Section[] = []
  const seen = new Set<number>()
  let offset: number | undefined = lastStartxref(source) + origin
  while (offset !== undefined) {
    if (seen.has(offset)) throw new NotStrict('The chain of cross-reference sections is a circle', offset)
    seen.add(offset)
    if (seen.size > strictLimits.sectionsMax) throw new NotStrict('The file has too many revisions', offset)
    const section = readSection(source, offset, origin)
    sections.push(section)
    offset = offsetIn(section, 'Prev', origin)
  }
  return sections
}

interface RevisionGroup {
  readonly group: RevisionSections['sections']
  /** How many sections of the chain it is made of. */
  readonly read: number
}

/** Returns the sections of the revision whose newest section is at this index. */
function revisionSectionsAt(source: Bytes, sections: readonly Section[], at: number, origin: number): RevisionGroup {
  const [section, next, further] = sections.slice(at)
  if (section === undefined) throw new NotStrict('The file has no cross-reference section')
  if (next === undefined) return { group: [section], read: 1 }
  if (next.offset < section.offset) {
    const joined = joinContinued(source, next, section)
    return joined === undefined ? { group: [section], read: 1 } : { group: [joined], read: 2 }
  }
  // The first-page section of a linearized file is the only one that points forward, to the main one, which is the
  // oldest.
  if (further !== undefined || !isFirstSection(source, section, next, origin)) {
    throw new NotStrict('/Prev points forward', section.offset)
  }
  if (doOverlap(section.ranges, next.ranges)) {
    throw new NotStrict('The sections of a linearized file list the same object', section.offset)
  }
  return { group: [section, next], read: 2 }
}

/**
 * Joins a section and the previous one that it continues: Acrobat writes the update of a hybrid as a table, the stream of
 * its hidden objects, in either order, and an empty table that names the stream. They end with one `startxref`.
 */
function joinContinued(source: Bytes, previous: Section, section: Section): Section | undefined {
  const { offset, end, trailer, ranges, hidden } = section
  if (hidden === undefined || ranges.length > 0 || previous.hidden !== undefined) return undefined
  const scanner = new Scanner(source, previous.end)
  scanner.skipBlanks()
  if (scanner.at === hidden.offset) {
    scanner.at = hidden.end
    scanner.skipBlanks()
  }
  return scanner.at === offset
    ? { ...joinHybrid(previous, hidden), offset, end, trailer, continued: [previous] }
    : undefined
}

function refuseTrailingData(source: Bytes, end: number): void {
  for (let at = end; at < source.sizeBytes; at++) {
    if (!isSpace(source.byte(at))) throw new NotStrict('Data follows the last "%%EOF"', at)
  }
}
