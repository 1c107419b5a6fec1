// Judges the document security store (ISO 32000-2, 12.8.4.3): certificates, CRLs and OCSP responses. It may list other ones,
// as programs do that prolong a signature: the stores of earlier revisions are read as well, so that nothing is lost.
import { ofKind } from '../../../strict-reader/values-of.js'
import type { Comparison } from '../compare/comparison.js'
import { judgeEntries } from '../compare/entries.js'
import { below, entrySlot, itemsOf, keysOf, referenceKey, type Slot } from '../compare/slot.js'

/** Lists of the store, and of the dictionary of one signature. */
const storeLists = ['Certs', 'CRLs', 'OCSPs']
const relatedLists = ['Cert', 'CRL', 'OCSP']

export function judgeSecurityStore(comparison: Comparison, entry: Slot): void {
  const slot = comparison.follow(entry)
  comparison.enter(slot.place, 'security-store')
  if (slot.after === undefined) {
    if (slot.before !== undefined) comparison.findings.refuse('no-rule', entry.place)
    return
  }
  if (!comparison.isSame(entry) || !comparison.isSame(slot)) {
    comparison.allow('security-store', slot.place, ofKind(slot.after, 'dictionary') ? undefined : 'Not a dictionary')
  }
  judgeEntries(comparison, slot, {
    roles: ['security-store'],
    walks: {
      ...Object.fromEntries(storeLists.map((key) => [key, (list: Slot) => judgeList(comparison, list)])),
      VRI: (related) => judgeRelated(comparison, comparison.follow(related)),
    },
  })
}

/** Judges `/VRI`: a dictionary for each signature, by its digest. */
function judgeRelated(comparison: Comparison, slot: Slot): void {
  comparison.enter(slot.place, 'security-store')
  if (!comparison.isSame(slot)) comparison.allow('security-store', slot.place)
  for (const key of keysOf(slot)) {
    const related = comparison.follow(entrySlot(slot, key))
    if (key === 'Type' && ofKind(related.after, 'name') !== undefined) continue
    comparison.enter(related.place, 'security-store')
    const isSound = related.after === undefined || ofKind(related.after, 'dictionary') !== undefined
    if (!comparison.isSame(related)) {
      comparison.allow('security-store', related.place, isSound ? undefined : 'Not a dictionary')
    }
    for (const part of keysOf(related)) judgeRelatedPart(comparison, part, entrySlot(related, part))
  }
}

function judgeRelatedPart(comparison: Comparison, key: string, slot: Slot): void {
  if (relatedLists.includes(key)) judgeList(comparison, slot)
  else if (key === 'TS') judgeData(comparison, slot)
  else if (!comparison.isSame(slot)) {
    const isGone = slot.after === undefined
    const isTime = key === 'TU' && ofKind(slot.after, 'string') !== undefined
    const isType = key === 'Type' && ofKind(slot.after, 'name') !== undefined
    comparison.allow('security-store', slot.place, isGone || isTime || isType ? undefined : 'Unexpected entry')
  } else if (slot.after !== undefined) {
    comparison.looseEnds.push({ value: slot.after, holder: slot.place.holder, realm: 'other' })
  }
}

function judgeList(comparison: Comparison, entry: Slot): void {
  const list = comparison.follow(entry)
  comparison.enter(list.place, 'security-store')
  const [before, after] = [itemsOf(list.before), itemsOf(list.after)]
  if (!comparison.isSame(list)) {
    const note = missing(comparison, before, after) ? 'An item is no longer listed' : undefined
    const isList = list.after === undefined || ofKind(list.after, 'array') !== undefined
    comparison.allow('security-store', list.place, isList ? undefined : 'Not a list', note)
  }
  const old = new Map(before.map((item) => [referenceKey(item), item]))
  after.forEach((item, index) => {
    const key = referenceKey(item)
    const slot = { before: key === undefined ? undefined : old.get(key), after: item, place: below(list.place, index) }
    judgeData(comparison, slot)
  })
}

/** True if a former item is missing. An equal item under another number may replace it. */
function missing(comparison: Comparison, before: readonly Slot['before'][], after: readonly Slot['before'][]): boolean {
  const kept = new Set(after.map(referenceKey))
  return before
    .filter((item) => !kept.has(referenceKey(item)))
    .some((item) => {
      const old = comparison.before.resolve(item)
      return !after.some((other) =>
        comparison.isSame({ before: old, after: comparison.after.resolve(other), place: { holder: 0, path: '' } }),
      )
    })
}

/** Judges a stream with one certificate, CRL or OCSP response. It may be new, but not changed under the same number. */
function judgeData(comparison: Comparison, entry: Slot): void {
  const slot = comparison.follow(entry)
  comparison.enter(slot.place, 'security-store')
  if (slot.after !== undefined) {
    comparison.looseEnds.push({ value: slot.after, holder: slot.place.holder, realm: 'other', rule: 'security-store' })
  }
  if (comparison.isSame(slot)) return
  const isStream = ofKind(slot.after, 'stream') !== undefined
  const change = slot.place.path === '' ? comparison.changes.get(slot.place.holder) : undefined
  const isNew = slot.after === undefined || (isStream && change?.kind !== 'modified')
  comparison.allow('security-store', slot.place, isNew ? undefined : 'Not a new stream')
}
