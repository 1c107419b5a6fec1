// Writes metadata into the information dictionary and, if there is one, the XMP packet. Precedence of the two depends
// on dates that may be among the written members, so the result is read again and corrected.

import type { Change } from '../../change/change.js'
import type { DocumentMetadata } from '../../contract/document-metadata.js'
import { entry } from '../../objects/values.js'
import { readMetadata } from '../metadata.js'
import { packetOf } from '../xmp.js'
import { type Member, type Members, members, writeInformation } from './information.js'
import { withMembers } from './xmp-packet.js'

/** Writes the members that differ from their current values. */
export function writeMetadata(change: Change, patch: Members): DocumentMetadata {
  const before = readMetadata(change.reading())
  const wanted = { ...before, ...asRead(patch) }
  const differing = differences(wanted, before)
  if (differing.length === 0) return before
  return rewriteMetadata(change, pick(patch, differing), wanted)
}

/**
 * Writes the members in every place, whether or not a read returns them already. `wanted`: metadata that reads return
 * then.
 */
export function rewriteMetadata(
  change: Change,
  values: Members,
  wanted: DocumentMetadata = { ...readMetadata(change.reading()), ...asRead(values) },
): DocumentMetadata {
  change.effects.document('metadata')
  write(change, values)
  // Members missing in the request may have been read from the other place before.
  const moved = differences(wanted, readMetadata(change.reading()))
  if (moved.length > 0) write(change, pick(wanted, moved))
  // Characters that XML does not allow, and surrounding blanks, can be stored in the dictionary only.
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

/** Returns metadata as a read returns it: missing trapping information is `unknown`. */
export const asRead = ({ trapped, ...others }: Members): Partial<DocumentMetadata> => ({
  ...others,
  ...(trapped !== undefined && { trapped: trapped ?? 'unknown' }),
})

export const differences = (one: Members, other: Members): readonly Member[] =>
  members.filter((member) => one[member] !== undefined && one[member] !== other[member])

export const pick = (values: Members, names: readonly Member[]): Members =>
  Object.fromEntries(names.map((name) => [name, values[name] ?? null]))
