// Judges the signature in a signature field: it may be added to an empty field, and not changed afterwards.

import type { StrictValue } from '../../../strict-reader/values.js'
import { integerOf, nameOf, ofKind } from '../../../strict-reader/values-of.js'
import type { Comparison } from '../compare/comparison.js'
import { entryOf, itemsOf, referenceKey, type Slot } from '../compare/slot.js'
import { isDocumentTimestamp } from './document-timestamp.js'
import { areaOf } from './drawn-place.js'

/** Judges `/V` of a field that existed before. Returns whether a permitted signature was added to it. */
export function judgeSignatureValue(comparison: Comparison, entry: Slot, field: Slot, isLocked: boolean): boolean {
  const slot = comparison.follow(entry)
  if (slot.after === undefined && slot.before === undefined) return false
  if (slot.before !== undefined || slot.after === undefined) {
    comparison.enter(slot.place, 'signature-field')
    if (!comparison.isSame(entry) || !comparison.isSame(slot)) {
      comparison.findings.refuse('signature-changed', slot.place)
    }
    if (slot.after !== undefined) {
      comparison.looseEnds.push({
        value: withoutData(comparison, slot.after),
        holder: slot.place.holder,
        realm: 'other',
      })
    }
    return false
  }
  if (isLocked) {
    comparison.enter(slot.place, 'signature-field')
    comparison.findings.refuse('locked-field', slot.place)
    return false
  }
  const isTimestamp = isDocumentTimestamp(comparison, slot.after) && isInvisible(comparison, field.after)
  return judgeNewSignature(comparison, slot, isTimestamp ? 'timestamp-value' : 'signature-value')
}

/**
 * Returns the signature without the references to the catalog in `/Data` of its transforms (ISO 32000-2, table 256). They
 * are not search paths: the catalog is judged entry by entry.
 */
function withoutData(comparison: Comparison, signature: StrictValue): StrictValue {
  const dictionary = ofKind(signature, 'dictionary')
  const root = referenceKey(entryOf(comparison.after.trailer, 'Root'))
  const list = unchanged(comparison, entryOf(signature, 'Reference'))
  const transforms = ofKind(list, 'array')
  if (dictionary === undefined || transforms === undefined) return signature
  const items = transforms.items.map((item) => {
    const transform = ofKind(unchanged(comparison, item), 'dictionary')
    if (transform === undefined || referenceKey(entryOf(transform, 'Data')) !== root) return item
    return { ...transform, entries: new Map([...transform.entries, ['Data', null]]) }
  })
  return { ...dictionary, entries: new Map([...dictionary.entries, ['Reference', { ...transforms, items }]]) }
}

/** Follows a reference to an object that did not change; returns others as they are. */
function unchanged({ changes, after }: Comparison, value: StrictValue | undefined): StrictValue | undefined {
  const reference = ofKind(value, 'reference')
  return reference === undefined || changes.has(reference.number) ? value : after.object(reference)
}

export function judgeNewSignature(
  comparison: Comparison,
  slot: Slot,
  rule: 'timestamp-value' | 'signature-value',
): boolean {
  comparison.enter(slot.place, 'signature-field')
  const isAllowed = comparison.allow(rule, slot.place, signatureProblem(comparison, slot))
  if (isAllowed && slot.place.path === '') comparison.newSignatures.add(slot.place.holder)
  if (slot.after !== undefined) {
    const end = { value: slot.after, holder: slot.place.holder, realm: 'other' } as const
    comparison.looseEnds.push(isAllowed ? { ...end, rule, isNew: true } : end)
  }
  return isAllowed
}

/**
 * Returns why the value is not a new signature over a revision, so that nobody could verify it; undefined if it is one.
 */
function signatureProblem(comparison: Comparison, { after, place }: Slot): string | undefined {
  if (ofKind(after, 'dictionary') === undefined) return 'Not a signature dictionary'
  if (place.path === '' && comparison.changes.get(place.holder)?.kind !== 'added') return 'Not a new object'
  const [type, contents] = [nameOf(entryOf(after, 'Type')), entryOf(after, 'Contents')]
  if (type !== undefined && type !== 'Sig' && type !== 'DocTimeStamp') return 'Not a signature dictionary'
  if (ofKind(comparison.after.resolve(contents), 'string') === undefined) return 'No contents'
  const range = itemsOf(comparison.after.resolve(entryOf(after, 'ByteRange'))).map(integerOf)
  const [start, first, second, rest] = range
  if (range.length !== 4 || start !== 0 || first === undefined || second === undefined || rest === undefined) {
    return 'No range of signed bytes'
  }
  const revisions = comparison.document.revisions.slice(comparison.before.index + 1, comparison.after.index + 1)
  // The end of line after `%%EOF` belongs to the revision and need not be signed.
  const isWhole = revisions.some(({ end }) => end - (second + rest) >= 0 && end - (second + rest) <= 2)
  return isWhole && first < second ? undefined : 'The signed bytes are not a revision of the file'
}

/** True for a widget without an area, and for a hidden one. */
export function isInvisible(comparison: Comparison, widget: StrictValue | undefined): boolean {
  const isEmpty = areaOf(comparison.after, entryOf(widget, 'Rect')) === 0
  const flags = integerOf(comparison.after.resolve(entryOf(widget, 'F'))) ?? 0
  // Readers ignore flags above the highest defined bit.
  const isHidden = flags >= 0 && flags < 1024 && (flags & 2) !== 0
  return isEmpty || isHidden || entryOf(widget, 'Rect') === undefined
}
