// Writes metadata so that it reads back: into the information dictionary, and into the XMP packet where the document has
// one. Which of the two holds depends on dates that may be among what is written, so what was written is read again.

import type { Change } from '../../change/change.js'
import type { DocumentMetadata } from '../../contract/document-metadata.js'
import { entry } from '../../objects/values.js'
import { readMetadata } from '../metadata.js'
import { packetOf } from '../xmp.js'
import { type Member, type Members, members, writeInformation } from './information.js'
import { withMembers } from './xmp-packet.js'

/** Members that say already what they shall are not written. */
export function writeMetadata(change: Change, patch: Members): DocumentMetadata {
  const before = readMetadata(change.reading())
  const wanted = { ...before, ...asRead(patch) }
  const differing = differences(wanted, before)
  if (differing.length === 0) return before
  change.effects.document('metadata')
  write(change, pick(patch, differing))
  // Members nobody named may have come out of the other place before.
  const moved = differences(wanted, readMetadata(change.reading()))
  if (moved.length > 0) write(change, pick(wanted, moved))
  // What XML cannot hold, and blanks around it, only the dictionary can say.
  const lost = differences(wanted, readMetadata(change.reading()))
  if (lost.length > 0) writeXmp(change, Object.fromEntries(lost.map((member) => [member, null])))
  return readMetadata(change.reading())
}

function write(change: Change, values: Members): void {
  writeInformation(change, values)
  writeXmp(change, values)
}

function writeXmp(change: Change, values: Members): void {
  const packet = packetOf(change.reading())
  const written = packet === '' ? undefined : withMembers(packet, values)
  if (written === undefined) return
  change.touch(entry(change.document.catalog, 'Metadata')).writeStream(written)
}

/** Returns the metadata as a read returns it: a missing statement about trapping is `unknown`. */
export const asRead = ({ trapped, ...others }: Members): Partial<DocumentMetadata> => ({
  ...others,
  ...(trapped !== undefined && { trapped: trapped ?? 'unknown' }),
})

export const differences = (one: Members, other: Members): readonly Member[] =>
  members.filter((member) => one[member] !== undefined && one[member] !== other[member])

export const pick = (values: Members, names: readonly Member[]): Members =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
