// Compares the byte range of a signature with the structure of the file.
import type { Signature } from '../../contract/signatures/signature.js'
import { NotStrict, type StrictDocument, type StrictRevision } from '../../strict-reader/strict-document.js'
import { isSpace } from '../../strict-reader/syntax/characters.js'
import { isSame, ofKind } from '../../strict-reader/values-of.js'
import { type ByteSpan, hexStringSpan } from './contents-place.js'
import { entryOf, referenceAt } from './entries.js'
import type { SignatureField } from './signature-fields.js'
import type { ByteRange, SignatureValue } from './signature-value.js'

export interface Coverage {
  readonly coverage: NonNullable<Signature['coverage']>
  /** Revision that added the signature; null if that is uncertain. */
  readonly revisionIndex: number | null
}

/**
 * Returns the coverage of a byte range. `whole-revision` means everything from 0 to the end of a revision, except the string
 * `/Contents` of the signature dictionary and white space after `%%EOF`. The field must name this dictionary in that
 * revision, the dictionary must be in that revision's own part of the file, and no later revision may replace it.
 */
export function coverageOf(document: StrictDocument, field: SignatureField, value: SignatureValue): Coverage {
  const added = addedIn(document, field, value)
  const malformed: Coverage = { coverage: 'malformed', revisionIndex: added?.index ?? null }
  if (added === undefined || value.byteRange === null) return malformed
  try {
    const hole = holeOf(document, added, field, value)
    const newest = document.revisions.at(-1)
    const latest = newest && holeOf(document, newest, field, value)
    if (
      !isHole(value.byteRange, hole) ||
      !isHole(value.byteRange, latest) ||
      !isHexadecimal(document, value.byteRange)
    ) {
      return malformed
    }
  } catch (error) {
    if (error instanceof NotStrict) return malformed
    throw error
  }
  const end = value.byteRange[2] + value.byteRange[3]
  if (end > document.sizeBytes || value.byteRange[2] > added.end) return malformed
  return { coverage: endsWith(document, added, end) ? 'whole-revision' : 'partial', revisionIndex: added.index }
}

/** Returns the revision whose own sections list the object with the dictionary, in its own part of the file. */
function addedIn(
  document: StrictDocument,
  field: SignatureField,
  { reference }: SignatureValue,
): StrictRevision | undefined {
  const number = reference?.number ?? field.reference?.number
  if (number === undefined) return undefined
  const place = document.revisions.at(-1)?.placeOf(number)
  if (place?.kind !== 'file') return undefined
  const revision = document.revisions.find(({ end }) => place.offset < end)
  return revision?.listed.has(number) && isNamed(revision, field, number) ? revision : undefined
}

/** True if the same field has the same signature in that revision. */
function isNamed(revision: StrictRevision, field: SignatureField, number: number): boolean {
  if (field.reference === undefined) return true
  const dictionary = ofKind(revision.resolve(field.reference), 'dictionary')
  const named = referenceAt(dictionary, 'V')
  return named === undefined
    ? field.reference.number === number && dictionary?.entries.has('V') === true
    : named.number === number
}

/** Returns the place of `/Contents` in one revision; undefined if the revision has another dictionary there. */
function holeOf(
  document: StrictDocument,
  revision: StrictRevision,
  field: SignatureField,
  { reference, dictionary }: SignatureValue,
): ByteSpan | undefined {
  const number = reference?.number ?? field.reference?.number
  if (number === undefined) return undefined
  const own = ofKind(reference ? revision.resolve(reference) : entryOf(revision, field.dictionary, 'V'), 'dictionary')
  // The dictionary that the snapshot reports must be the one that was signed.
  if (own === undefined || !isSame(own, dictionary)) return undefined
  return hexStringSpan(document, revision, { number, path: reference ? ['Contents'] : ['V', 'Contents'] })
}

const isHole = ([start, length, next]: ByteRange, hole: ByteSpan | undefined): boolean =>
  start === 0 && hole !== undefined && length === hole.start && next === hole.end

/** True if the uncovered string has only digits: anything else, even white space, could hide unsigned content. */
function isHexadecimal(document: StrictDocument, [, length, next]: ByteRange): boolean {
  const text = Buffer.from(document.bytes(length, next - length)).toString('latin1')
  return /^<[0-9A-Fa-f]*>$/.test(text)
}

/** True if the covered bytes reach the end of the revision, or its `%%EOF` with white space after it. */
function endsWith(document: StrictDocument, { end }: StrictRevision, covered: number): boolean {
  if (covered >= end) return covered === end
  const rest = document.bytes(covered, Math.min(end - covered, blankBytesMax + 1))
  const before = Buffer.from(document.bytes(Math.max(0, covered - markerBytes), Math.min(covered, markerBytes)))
  return rest.length <= blankBytesMax && rest.every(isSpace) && /%%EOF\s*$/.test(before.toString('latin1'))
}

const blankBytesMax = 1024
const markerBytes = 1024
