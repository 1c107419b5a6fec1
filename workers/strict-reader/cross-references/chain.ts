// Follows the chain of cross-reference sections, and groups them by revision.
import type { Bytes } from '../bytes/bytes.js'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import { isSpace } from '../syntax/characters.js'
import { lastStartxref, revisionEnd } from './file-end.js'
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
    const group = revisionSectionsAt(source, sections, at, origin)
    const [first] = group
    const last = group[group.length - 1] ?? first
    const markerEnd = revisionEnd(source, last.end, first.offset - origin)
    const newer = revisions[0]?.sections[0]
    if (newer === undefined) refuseTrailingData(source, markerEnd)
    else if (markerEnd > newer.offset) throw new NotStrict('Cross-reference sections overlap', newer.offset)
    revisions.unshift({ end: newer === undefined ? source.sizeBytes : markerEnd, sections: group })
    at += group.length
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
    if (seen.add(offset).size > strictLimits.sectionsMax) throw new NotStrict('The file has too many revisions', offset)
    const section = readSection(source, offset, origin)
    sections.push(section)
    offset = offsetIn(section, 'Prev', origin)
  }
  return sections
}

/** Returns the sections of the revision whose newest section is at this index. */
function revisionSectionsAt(
  source: Bytes,
  sections: readonly Section[],
  at: number,
  origin: number,
): RevisionSections['sections'] {
  const [section, next, further] = sections.slice(at)
  if (section === undefined) throw new NotStrict('The file has no cross-reference section')
  if (next === undefined || next.offset < section.offset) return [section]
  // The first-page section of a linearized file is the only one that points forward, to the main one, which is the
  // oldest.
  if (further !== undefined || !isFirstSection(source, section, next, origin)) {
    throw new NotStrict('/Prev points forward', section.offset)
  }
  if (doOverlap(section.ranges, next.ranges)) {
    throw new NotStrict('The sections of a linearized file list the same object', section.offset)
  }
  return [section, next]
}

function refuseTrailingData(source: Bytes, end: number): void {
  for (let at = end; at < source.sizeBytes; at++) {
    if (!isSpace(source.byte(at))) throw new NotStrict('Data follows the last "%%EOF"', at)
  }
}
