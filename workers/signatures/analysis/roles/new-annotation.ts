// Judges annotations that were added to a page.
import {
  annotationsUnderCertification,
  annotationsUnderSignature,
} from '../../../contract/signatures/annotation-policy.js'
import type { StrictValue } from '../../../strict-reader/values.js'
import { nameOf, ofKind } from '../../../strict-reader/values-of.js'
import type { Comparison } from '../compare/comparison.js'
import { entryOf, entrySlot, keysOf, type Slot } from '../compare/slot.js'
import { newAnnotationKeys } from '../policy/annotation-rules.js'
import { placeProblem } from './drawn-place.js'

/** Types of actions that only show another place. */
const navigationActions = new Set(['URI', 'GoTo', 'GoToR', 'Named'])

export function judgeNewAnnotation(comparison: Comparison, reference: Slot): void {
  const slot = comparison.follow({ ...reference, before: undefined })
  const { place, after } = slot
  if (after === undefined || after === null) return
  const kind = nameOf(comparison.after.resolve(entryOf(after, 'Subtype'))) ?? ''
  if (kind === 'Widget') {
    const isPermitted = place.path === '' && comparison.newWidgets.has(place.holder)
    comparison.enter(place, 'widget')
    if (!isPermitted) comparison.findings.refuse('widget-added', place)
    return
  }
  if (!comparison.enter(place, 'annotation') && comparison.findings.isAbout(place.holder)) return
  const isAllowed = comparison.allow('annotation-added', place, newAnnotationProblem(comparison, slot, kind))
  for (const key of keysOf(slot)) {
    const value = entryOf(after, key)
    if (value === undefined) continue
    if (key === 'Popup') {
      comparison.attempt(place, () => judgeNewAnnotation(comparison, entrySlot(slot, key)))
      continue
    }
    const end = { value, holder: place.holder, realm: key === 'AP' ? 'content' : 'other' } as const
    comparison.looseEnds.push(isAllowed ? { ...end, rule: 'annotation-added' } : end)
  }
}

function newAnnotationProblem(comparison: Comparison, slot: Slot, kind: string): string | undefined {
  const { place, after } = slot
  if (ofKind(after, 'dictionary') === undefined) return 'Not an annotation'
  if (!isAddable(comparison, kind)) return `Annotations of kind ${kind} may not be added`
  const change = place.path === '' ? comparison.changes.get(place.holder) : undefined
  if (change?.kind === 'modified' && nameOf(entryOf(change.before, 'Subtype')) !== kind) {
    return 'The object number belonged to another object'
  }
  const unexpected = keysOf(slot).filter((key) => !newAnnotationKeys.has(key) && !(kind === 'Link' && isLinkKey(key)))
  if (unexpected.length > 0) return `Unexpected entry ${unexpected.join(', ')}`
  return (
    actionProblem(comparison, entryOf(after, 'A')) ??
    actionProblem(comparison, entryOf(after, 'PA')) ??
    placeProblem(comparison, after)
  )
}

const isLinkKey = (key: string): boolean => ['A', 'Dest', 'PA'].includes(key)

function actionProblem(comparison: Comparison, value: StrictValue | undefined): string | undefined {
  if (value === undefined) return undefined
  const action = comparison.after.resolve(value)
  const type = nameOf(comparison.after.resolve(entryOf(action, 'S'))) ?? ''
  if (entryOf(action, 'Next') !== undefined) return 'Actions follow one another'
  return navigationActions.has(type) ? undefined : `The action ${type} may not be added`
}

const isAddable = (comparison: Comparison, kind: string): boolean =>
  (comparison.restraints.isCertified ? annotationsUnderCertification : annotationsUnderSignature).has(kind)
