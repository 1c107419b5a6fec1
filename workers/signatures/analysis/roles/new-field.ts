// Judges fields that were added: only signature fields may be.

import type { StrictValue } from '../../../strict-reader/values.js'
import { nameOf, ofKind } from '../../../strict-reader/values-of.js'
import { textOf } from '../../reading/text-string.js'
import type { Comparison } from '../compare/comparison.js'
import { below, entryOf, entrySlot, itemsOf, keysOf, referenceKey, type Slot } from '../compare/slot.js'
import { newSignatureFieldKeys } from '../policy/new-signature-field-keys.js'
import type { RuleName } from '../policy/rules.js'
import { isDocumentTimestamp } from './document-timestamp.js'
import { placeProblem } from './drawn-place.js'
import type { FieldFacts } from './field-facts.js'
import { isInvisible, judgeNewSignature } from './signature-value.js'

export function judgeNewField(
  comparison: Comparison,
  reference: Slot,
  parent: FieldFacts,
  siblings: readonly StrictValue[],
): void {
  const slot = comparison.follow({ ...reference, before: undefined })
  comparison.enter(slot.place, 'signature-field')
  const { after, place } = slot
  if (entryOf(after, 'T') === undefined) {
    comparison.findings.refuse('widget-added', place)
    return
  }
  const shape = shapeProblem(comparison, slot, parent, siblings)
  if (shape !== undefined) {
    comparison.findings.refuse('field-added', place, shape)
    return
  }
  // A field with kids may be on a page itself, too.
  const kids = itemsOf(comparison.after.resolve(entryOf(after, 'Kids')))
  const widgets = [after, ...kids.map((kid) => comparison.after.resolve(kid))]
  const areInvisible = widgets.every((widget) => isInvisible(comparison, widget))
  const value = comparison.follow({ ...entrySlot(slot, 'V'), before: undefined })
  const isTimestamp =
    areInvisible && entryOf(after, 'Lock') === undefined && isDocumentTimestamp(comparison, value.after)
  const rule: RuleName = isTimestamp
    ? 'timestamp-field-added'
    : areInvisible
      ? 'signature-field-added'
      : 'visible-signature-field-added'
  const coversCertified = !areInvisible && comparison.restraints.isCertified
  const problem =
    (coversCertified ? 'The document is certified' : undefined) ??
    widgets.map((widget) => placeProblem(comparison, widget)).find((found) => found !== undefined)
  const isAllowed = comparison.allow(rule, place, problem)
  if (value.after !== undefined) {
    judgeNewSignature(comparison, value, isTimestamp ? 'timestamp-value' : 'signature-value')
  }
  for (const widget of [slot, ...kidSlots(comparison, slot)]) {
    if (widget.place.path === '') comparison.enter(widget.place, 'signature-field')
    if (isAllowed) {
      comparison.newWidgets.add(widget.place.holder)
      if (widget.place.holder !== place.holder) comparison.findings.permit(rule, widget.place)
    }
    pushParts(comparison, widget, isAllowed ? rule : undefined)
  }
}

/** Returns why the object is not a plain new signature field; undefined if it is. */
function shapeProblem(
  comparison: Comparison,
  { after, place }: Slot,
  parent: FieldFacts,
  siblings: readonly StrictValue[],
): string | undefined {
  const { changes } = comparison
  const resolve = (value: StrictValue | undefined) => comparison.after.resolve(value)
  if (place.path !== '' || changes.get(place.holder)?.kind !== 'added') return 'Not a new object'
  if (nameOf(resolve(entryOf(after, 'FT'))) !== 'Sig') return 'Not a signature field'
  const name = textOf(resolve(entryOf(after, 'T')))
  if (name === undefined || name === '') return 'The field has no name'
  const isTaken = siblings.some((sibling) => textOf(resolve(entryOf(resolve(sibling), 'T'))) === name)
  if (isTaken) return 'Another field has this name'
  if (parent.type !== undefined) return `Below a field of type ${parent.type}`
  const kids = itemsOf(resolve(entryOf(after, 'Kids')))
  const isNew = (kid: StrictValue) => changes.get(ofKind(kid, 'reference')?.number ?? 0)?.kind === 'added'
  if (!kids.every(isNew)) return 'A widget is not a new object'
  const widgets = [after, ...kids.map(resolve)]
  for (const widget of widgets) {
    if (ofKind(widget, 'dictionary') === undefined) return 'Not a widget'
    const keys = keysOf({ before: undefined, after: widget, place })
    const unexpected = keys.filter((key) => !newSignatureFieldKeys.has(key))
    if (unexpected.length > 0) return `Unexpected entry ${unexpected.join(', ')}`
    if (widget !== after && (entryOf(widget, 'T') ?? entryOf(widget, 'Kids')) !== undefined) return 'Not a widget'
  }
  return undefined
}

function kidSlots(comparison: Comparison, field: Slot): readonly Slot[] {
  const list = comparison.follow({ ...entrySlot(field, 'Kids'), before: undefined })
  if (list.after !== undefined) comparison.enter(list.place, 'signature-field')
  if (list.place.holder !== field.place.holder) comparison.findings.permit('signature-field-added', list.place)
  return itemsOf(list.after)
    .filter((kid) => referenceKey(kid) !== undefined)
    .map((kid, index) => comparison.follow({ before: undefined, after: kid, place: below(list.place, index) }))
}

/** Queues the entries of a widget for the search; objects below them may have changed by the rule. */
function pushParts(comparison: Comparison, widget: Slot, rule: RuleName | undefined): void {
  for (const key of keysOf(widget)) {
    const value = entryOf(widget.after, key)
    if (value === undefined || key === 'V' || key === 'Kids') continue
    const realm = key === 'AP' || key === 'MK' || key === 'DR' ? 'content' : 'other'
    const end = { value, holder: widget.place.holder, realm } as const
    comparison.looseEnds.push(rule === undefined ? end : { ...end, rule })
  }
}
