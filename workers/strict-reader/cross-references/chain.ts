// Follows the chain of cross-reference sections, and groups them by the revisions that they make.
import type { Bytes } from '../bytes/bytes.js'
import { NotStrict } from '../strict-document.js'
import { strictLimits } from '../strict-limits.js'
import { lastStart, revisionEnd } from './file-end.js'
import { isFirstSection } from './linearized.js'
import { doOverlap } from './ranges.js'
import { offsetIn, readSection } from './read-section.js'
import type { Section } from './section.js'

export interface RevisionSections {
  readonly end: number
  /** The one that `startxref` names, and in a linearized file the main one. They list different numbers. */
  readonly sections: readonly [Section, ...Section[]]
}

/** Returns the revisions, oldest first. */
export function readChain(source: Bytes, origin: number): readonly RevisionSections[] {
  const sections = sectionsOf(source, origin)
  const revisions: RevisionSections[] = []
  for (let at = 0; at < sections.length; ) {
    const group = groupAt(source, { sections, at, origin })
    const [first] = group
    const last = group[group.length - 1] ?? first
    const end = revisions.length === 0 ? source.sizeBytes : revisionEnd(source, last.end, first.offset - origin)
    if (revisions.length === 0) refuseMore(source, revisionEnd(source, last.end, first.offset - origin))
    const newer = revisions[0]?.sections[0]
    if (newer !== undefined && end > newer.offset) {
      throw new NotStrict('Cross-reference sections overlap', newer.offset)
    }
    revisions.unshift({ end, sections: group })
    at += group.length
  }
  return revisions
}

/** Newest first. */
function sectionsOf(source: Bytes, origin: number): readonly Section[] {
  const sections: Section[] = []
  const seen = new Set<number>()
  let offset: number | undefined = lastStart(source) + origin
  while (offset !== undefined) {
    if (seen.has(offset)) throw new NotStrict('The chain of cross-reference sections is a circle', offset)
    if (seen.add(offset).size > strictLimits.sectionsMax) throw new NotStrict('The file has too many revisions', offset)
    const section = readSection(source, offset, origin)
    sections.push(section)
    offset = offsetIn(section, 'Prev', origin)
  }
  return sections
}

interface Walk {
  readonly sections: readonly Section[]
  readonly at: number
  readonly origin: number
}

function groupAt(source: Bytes, { sections, at, origin }: Walk): RevisionSections['sections'] {
  const [section, next, further] = sections.slice(at)
  if (section === undefined) throw new NotStrict('The file has no cross-reference section')
  if (next === undefined || next.offset < section.offset) return [section]
  // Only the first-page section of a linearized file points forward, to the main one, which is the oldest.
  if (further !== undefined || !isFirstSection(source, section, next, origin)) {
    throw new NotStrict('/Prev points forward', section.offset)
  }
  if (doOverlap(section.ranges, next.ranges)) {
    throw new NotStrict('The sections of a linearized file list the same object', section.offset)
  }
  return [section, next]
}

function refuseMore(source: Bytes, end: number): void {
  for (let at = end; at < source.sizeBytes; at++) {
    if (![0, 9, 10, 12, 13, 32].includes(source.byte(at))) {
      throw new NotStrict('Something follows the last "%%EOF"', at)
    }
  }
}
