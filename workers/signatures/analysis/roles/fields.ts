// Judges the field tree: values, their appearances, and signatures.

import type { StrictValue } from '../../../strict-reader/values.js'
import { integerOf, nameOf, ofKind } from '../../../strict-reader/values-of.js'
import { textOf } from '../../reading/text-string.js'
import { analysisLimits } from '../analysis-limits.js'
import type { Comparison } from '../compare/comparison.js'
import { judgeEntries } from '../compare/entries.js'
import { below, entryOf, entrySlot, itemsOf, referenceKey, type Slot } from '../compare/slot.js'
import type { RuleName } from '../policy/rules.js'
import { judgeFieldAppearance, stateProblem } from './field-appearance.js'
import type { FieldFacts } from './field-facts.js'
import { judgeNewField } from './new-field.js'
import { judgeSignatureValue } from './signature-value.js'

/** Judges `/Fields` or `/Kids`. */
export function judgeFieldList(comparison: Comparison, entry: Slot, parent: FieldFacts, rule: RuleName): void {
  const list = comparison.follow(entry)
  comparison.enter(list.place, 'field')
  const [before, after] = [itemsOf(list.before), itemsOf(list.after)]
  const isChanged = !comparison.isSame(list)
  if (isChanged) {
    const problem = ofKind(list.after, 'array') === undefined ? 'Not a list' : undefined
    comparison.allow(rule, list.place, problem)
    const keptKeys = new Set(after.map(referenceKey))
    const oldKeys = before.map(referenceKey)
    const old = new Set(oldKeys)
    const kept = after.map(referenceKey).filter((key) => old.has(key))
    const isInOrder = kept.length === oldKeys.length && kept.every((key, index) => key === oldKeys[index])
    if (!isInOrder || !oldKeys.every((key) => keptKeys.has(key))) {
      comparison.findings.refuse('field-removed', list.place)
    }
  }
  const old = isChanged ? new Map(before.map((item) => [referenceKey(item), item])) : undefined
  after.forEach((item, index) => {
    const before = old === undefined ? item : old.get(referenceKey(item))
    if (comparison.isIdle(before, item)) return
    const place = below(list.place, index)
    const slot = { before, after: item, place }
    comparison.attempt(place, () => {
      if (slot.before !== undefined && ofKind(item, 'reference') !== undefined) judgeField(comparison, slot, parent)
      else judgeNewField(comparison, slot, parent, itemsOf(list.before))
    })
  })
}

function judgeField(comparison: Comparison, reference: Slot, parent: FieldFacts): void {
  const slot = comparison.follow(reference)
  const { place, after } = slot
  if (parent.depth > analysisLimits.depthMax || comparison.countVisit(place.holder) > analysisLimits.visitsMax) {
    comparison.findings.leaveOpen('too-deep', place)
    return
  }
  if (ofKind(after, 'dictionary') === undefined) {
    if (!comparison.isSame(slot)) comparison.findings.refuse('field-removed', place, 'Not a field')
    return
  }
  // Facts about the field, partly inherited. Its value is judged here, because widgets below it depend on the result.
  const isField = entryOf(after, 'T') !== undefined || parent.name === ''
  const type = nameOf(comparison.after.resolve(entryOf(after, 'FT'))) ?? parent.type
  comparison.enter(place, type === 'Sig' ? 'signature-field' : 'field')
  comparison.fields.add(place.holder)
  const own = textOf(comparison.after.resolve(entryOf(after, 'T')))
  const name = own === undefined ? parent.name : parent.name === '' ? own : `${parent.name}.${own}`
  const isLocked = comparison.isLocked(name)
  const value = entrySlot(slot, 'V')
  const flags = integerOf(comparison.after.resolve(entryOf(after, 'Ff'))) ?? parent.flags
  const facts: FieldFacts = {
    ...parent,
    name,
    type,
    flags,
    value: entryOf(after, 'V') === undefined ? parent.value : comparison.after.resolve(entryOf(after, 'V')),
    options: entryOf(after, 'Opt') ?? parent.options,
    isFormatted: parent.isFormatted || hasFormat(comparison, after),
    widgetCount: isField ? itemsOf(comparison.after.resolve(entryOf(after, 'Kids'))).length || 1 : parent.widgetCount,
    isLocked,
    depth: parent.depth + 1,
    ...(type === 'Sig'
      ? { isSigned: judgeSignatureValue(comparison, value, slot, isLocked) || parent.isSigned }
      : { isValueChanged: judgeValue(comparison, value, { name, isLocked, type, flags }) || parent.isValueChanged }),
  }
  // Its other entries. In a locked field, none may change.
  if (isLocked && parent.isValueChanged && entryOf(after, 'V') === undefined) {
    comparison.findings.refuse('locked-field', place, `Field ${name} is locked, and its inherited value changed`)
  }
  const refusal = isLocked
    ? (entry: Slot) => comparison.findings.refuse('locked-field', entry.place, `Field ${name} is locked`)
    : undefined
  judgeEntries(comparison, slot, {
    roles: type === 'Sig' ? ['signature-field'] : ['field', 'widget'],
    walks: {
      V: () => undefined,
      Kids: (kids) => judgeFieldList(comparison, kids, facts, 'field-kids'),
      AP: (appearance) => judgeFieldAppearance(comparison, appearance, slot, facts),
    },
    conditions: {
      AS: (state) => stateProblem(comparison, state, slot, facts),
      Ff: readOnlyProblem,
      I: ({ after }) => valuePartProblem(facts, after === undefined || ofKind(after, 'array') !== undefined),
      RV: ({ after }) => valuePartProblem(facts, after === undefined || ofKind(after, 'string') !== undefined),
      M: ({ after }) => (ofKind(after, 'string') === undefined ? 'Not a date' : undefined),
      P: (page) => newPageProblem(comparison, page),
      Type: (entry) => typeProblem(comparison, slot, entry),
      F: (flags) => signedFlagsProblem(facts, flags),
      Lock: ({ before }) =>
        facts.isSigned && before === undefined ? undefined : 'The field had a lock, or was not signed',
    },
    drawn: ['MK', 'DR'],
    ...(refusal && { refusal }),
  })
}

/** Judges the value of a field other than a signature field. Returns whether it changed. */
function judgeValue(
  comparison: Comparison,
  entry: Slot,
  { name, isLocked, type, flags }: Pick<FieldFacts, 'name' | 'isLocked' | 'type' | 'flags'>,
): boolean {
  const slot = comparison.follow(entry)
  if (slot.place.path === '') comparison.enter(slot.place, 'field')
  if (typeof slot.after === 'object' && slot.after !== null) {
    comparison.looseEnds.push({ value: slot.after, holder: slot.place.holder, realm: 'other' })
  }
  if (comparison.isSame(slot)) return false
  if (isLocked) {
    comparison.findings.refuse('locked-field', slot.place, `Field ${name} is locked`)
    return true
  }
  const isPushButton = type === 'Btn' && (flags & (1 << 16)) !== 0
  const problem = isPushButton ? 'A push button has no value' : 'Not a text, name or list'
  return comparison.allow('field-value', slot.place, isPlain(slot.after) && !isPushButton ? undefined : problem)
}

const isPlain = (value: StrictValue | undefined): boolean =>
  value === undefined ||
  ofKind(value, 'string') !== undefined ||
  ofKind(value, 'name') !== undefined ||
  (ofKind(value, 'array')?.items.every((item) => ofKind(item, 'string') !== undefined) ?? false)

const valuePartProblem = ({ isValueChanged }: FieldFacts, isSound: boolean): string | undefined =>
  !isSound ? 'Unexpected value' : isValueChanged ? undefined : 'The value of the field did not change'

function readOnlyProblem({ before, after }: Slot): string | undefined {
  const [old, now] = [before === undefined ? 0 : integerOf(before), integerOf(after)]
  return old !== undefined && now !== undefined && (old | 1) === now ? undefined : 'Another flag changed'
}

/** Bits of the flags `Print` and `Locked` of a widget. */
const flagsWhenSigned = 4 | 128

function signedFlagsProblem({ isSigned }: FieldFacts, { before, after }: Slot): string | undefined {
  const [old, now] = [before === undefined ? 0 : integerOf(before), integerOf(after)]
  if (!isSigned || old === undefined || now === undefined) return 'No signature was made in the field'
  return (old | flagsWhenSigned) === (now | flagsWhenSigned) && (now & old) === old ? undefined : 'Another flag changed'
}

function newPageProblem(comparison: Comparison, { before, after }: Slot): string | undefined {
  const isPage = nameOf(entryOf(comparison.after.resolve(after), 'Type')) === 'Page'
  return before === undefined && isPage ? undefined : 'The widget had a page'
}

/** `/Type` says nothing that the subtype does not, if it has the only value that it may have (ISO 32000-2, table 166). */
function typeProblem(comparison: Comparison, widget: Slot, { before, after }: Slot): string | undefined {
  const isWidget = nameOf(comparison.before.resolve(entryOf(widget.before, 'Subtype'))) === 'Widget'
  return isWidget && before === undefined && nameOf(after) === 'Annot' ? undefined : 'Another type'
}

const hasFormat = (comparison: Comparison, field: StrictValue | undefined): boolean =>
  entryOf(comparison.after.resolve(entryOf(field, 'AA')), 'F') !== undefined
