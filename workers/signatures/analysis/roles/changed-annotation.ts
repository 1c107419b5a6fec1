// Judges annotations that were on the page before, and their popups.
import { annotationsUnderCertification } from '../../../contract/signatures/annotation-policy.js'
import { integerOf, nameOf, ofKind } from '../../../strict-reader/values-of.js'
import type { Comparison } from '../compare/comparison.js'
import { judgeEntries } from '../compare/entries.js'
import { entryOf, keysOf, type Slot } from '../compare/slot.js'
import { placeProblem } from './drawn-place.js'
import { judgeNewAnnotation } from './new-annotation.js'

export function judgeChangedAnnotation(comparison: Comparison, reference: Slot): void {
  const slot = comparison.follow(reference)
  const { place, before, after } = slot
  if (before === undefined && after === undefined) return
  const kind = nameOf(comparison.after.resolve(entryOf(after ?? before, 'Subtype'))) ?? ''
  if (kind === 'Widget') {
    judgeWidget(comparison, slot)
    return
  }
  if (!comparison.enter(place, 'annotation')) return
  if (before === undefined) {
    judgeNewAnnotation(comparison, reference)
    return
  }
  if (ofKind(after, 'dictionary') === undefined) {
    if (!comparison.isSame(slot)) {
      comparison.findings.refuse('annotation-removed', place, 'An object that pages refer to was removed')
    }
    return
  }
  const problem = annotationsUnderCertification.has(kind)
    ? undefined
    : `${kind} is not an annotation that may be changed`
  const misplaced = () => placeProblem(comparison, after)
  judgeEntries(comparison, slot, {
    roles: ['annotation'],
    walks: {
      AP: (appearance) => judgeAppearance(comparison, appearance, problem ?? misplaced()),
      Popup: (popup) => {
        if (!comparison.isSame(popup)) comparison.allow('annotation-changed', popup.place, problem)
        if (popup.after !== undefined) judgeChangedAnnotation(comparison, popup)
      },
    },
    conditions: {
      ...Object.fromEntries(keysOf(slot).map((key) => [key, () => problem])),
      F: (flags) => problem ?? flagsProblem(flags),
      Rect: () => problem ?? misplaced(),
      P: ({ before: page }) => problem ?? (page === undefined ? undefined : 'The annotation had a page'),
    },
    ...(problem === undefined && { partsRule: 'annotation-changed' }),
  })
}

/** Judges a widget without a field, which may not change; others are judged as fields. */
function judgeWidget(comparison: Comparison, slot: Slot): void {
  const { place } = slot
  if (place.path === '' && (comparison.fields.has(place.holder) || comparison.newWidgets.has(place.holder))) return
  comparison.enter(place, 'widget')
  if (slot.after === undefined) comparison.findings.refuse('widget-removed', place)
  judgeEntries(comparison, slot, { roles: [], drawn: ['AP', 'MK'] })
}

function judgeAppearance(comparison: Comparison, entry: Slot, problem: string | undefined): void {
  const slot = comparison.follow(entry)
  comparison.enter(slot.place, 'annotation')
  if (!comparison.isSame(slot) || !comparison.isSame(entry)) {
    comparison.allow('annotation-appearance', slot.place, problem)
  }
  if (slot.after === undefined) return
  const end = { value: slot.after, holder: slot.place.holder, realm: 'content' } as const
  const isFree = problem === undefined && comparison.permits('annotate')
  comparison.looseEnds.push(isFree ? { ...end, rule: 'annotation-appearance' } : end)
}

/** Bits of `ReadOnly`, `Locked` and `LockedContents`. All other flags show, hide, print or place an annotation. */
const harmlessFlags = 64 | 128 | 512

function flagsProblem({ before, after }: Slot): string | undefined {
  const [old, now] = [before === undefined ? 0 : integerOf(before), after === undefined ? 0 : integerOf(after)]
  if (old === undefined || now === undefined) return 'Not flags'
  return (old & ~harmlessFlags) === (now & ~harmlessFlags) ? undefined : 'What is shown, hidden or printed changed'
}
