// Judges the annotations of a page. Markup annotations may be added, removed and changed, others may not be removed.
import { annotationsUnderCertification } from '../../../contract/signatures/annotation-policy.js'
import type { StrictValue } from '../../../strict-reader/values.js'
import { nameOf, ofKind } from '../../../strict-reader/values-of.js'
import type { Comparison } from '../compare/comparison.js'
import { isSameValue } from '../compare/same-value.js'
import { below, entryOf, itemsOf, referenceKey, type Slot } from '../compare/slot.js'
import { judgeChangedAnnotation } from './changed-annotation.js'
import { judgeNewAnnotation } from './new-annotation.js'

export function judgeAnnotations(comparison: Comparison, entry: Slot): void {
  const list = comparison.follow(entry)
  comparison.enter(list.place, 'page')
  if (list.before === list.after) {
    itemsOf(list.after).forEach((item, index) => {
      if (!comparison.isIdle(item, item))
        judgeAnnotation(comparison, { before: item, after: item, place: below(list.place, index) })
    })
    return
  }
  if (!comparison.isSame(list)) {
    const isList = list.after === undefined || ofKind(list.after, 'array') !== undefined
    comparison.allow('page-annotations', list.place, isList ? undefined : 'Not a list')
  }
  const { pairs, removed } = pairMembers(comparison, itemsOf(list.before), itemsOf(list.after))
  for (const item of removed) judgeRemoval(comparison, item, list.place)
  judgeOrder(comparison, itemsOf(list.before), pairs, list)
  pairs.forEach(({ before, after }, index) => {
    if (comparison.isIdle(before, after)) return
    const slot = { before, after, place: below(list.place, index) }
    comparison.attempt(slot.place, () => {
      if (before === undefined) judgeNewAnnotation(comparison, slot)
      else judgeAnnotation(comparison, slot)
    })
  })
}

function judgeAnnotation(comparison: Comparison, slot: Slot): void {
  comparison.attempt(slot.place, () => judgeChangedAnnotation(comparison, slot))
}

interface Pair {
  readonly before: StrictValue | undefined
  readonly after: StrictValue
}

/**
 * Pairs the members of both lists: indirect annotations by their references, inline ones by their values, and the rest
 * as inline annotations that became indirect objects.
 */
function pairMembers(comparison: Comparison, before: readonly StrictValue[], after: readonly StrictValue[]) {
  const unpaired = new Set(before)
  const takeEqual = (item: StrictValue): StrictValue | undefined => {
    const found = [...unpaired].find(
      (old) => referenceKey(old) === undefined && isSameValue(comparison.document, old, item),
    )
    if (found !== undefined) unpaired.delete(found)
    return found
  }
  const byKey = new Map<string, StrictValue[]>()
  for (const item of before) {
    const key = referenceKey(item)
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), item])
  }
  const byReference = after.map((item) => {
    const old = byKey.get(referenceKey(item) ?? '')?.shift()
    if (old !== undefined) unpaired.delete(old)
    return old
  })
  const byReferenceOrValue = after.map((item, index) =>
    byReference[index] === undefined && referenceKey(item) === undefined ? takeEqual(item) : byReference[index],
  )
  const pairs: Pair[] = after.map((item, index) => ({
    before: byReferenceOrValue[index] ?? takePromoted(comparison, item, unpaired),
    after: item,
  }))
  return { pairs, removed: [...unpaired] }
}

/**
 * Removes from `unpaired` the inline annotation that became this new object, and returns it: one with the same kind,
 * position and name.
 */
function takePromoted(comparison: Comparison, item: StrictValue, unpaired: Set<StrictValue>): StrictValue | undefined {
  const reference = ofKind(item, 'reference')
  if (reference === undefined || comparison.changes.get(reference.number)?.kind !== 'added') return undefined
  const now = comparison.after.object(reference)
  const found = [...unpaired].find(
    (old) =>
      referenceKey(old) === undefined &&
      ['Subtype', 'Rect', 'NM'].every((key) =>
        isSameValue(
          comparison.document,
          entryOf(old, key),
          entryOf(now, key) ?? (key === 'NM' ? entryOf(old, key) : undefined),
        ),
      ),
  )
  if (found !== undefined) unpaired.delete(found)
  return found
}

function judgeRemoval(comparison: Comparison, item: StrictValue, place: Slot['place']): void {
  const old = comparison.before.resolve(item)
  if (old === null) return
  const reference = ofKind(item, 'reference')
  const at = reference === undefined ? place : { holder: reference.number, path: '' }
  const kind = nameOf(entryOf(old, 'Subtype')) ?? ''
  if (kind === 'Widget') comparison.findings.refuse('widget-removed', at)
  else {
    const isMarkup = annotationsUnderCertification.has(kind)
    comparison.allow(
      'annotation-removed',
      at,
      isMarkup ? undefined : `${kind} is not an annotation that may be changed`,
    )
  }
}

/**
 * Judges the drawing order of annotations other than markup. The order of markup is free, because it could be removed
 * and added again.
 */
function judgeOrder(
  comparison: Comparison,
  before: readonly StrictValue[],
  pairs: readonly Pair[],
  { place }: Slot,
): void {
  const isFixed = (item: StrictValue) => !isMarkup(comparison, item)
  const kept = pairs.flatMap(({ before: old }) => (old === undefined ? [] : [old]))
  const left = new Set(kept)
  const now = kept.filter(isFixed)
  const old = before.filter((item) => left.has(item) && isFixed(item))
  if (now.some((item, index) => item !== old[index])) comparison.findings.refuse('order-of-annotations', place)
}

const isMarkup = (comparison: Comparison, item: StrictValue): boolean =>
  annotationsUnderCertification.has(nameOf(entryOf(comparison.before.resolve(item), 'Subtype')) ?? '')
