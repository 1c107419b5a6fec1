// Judges the form dictionary.
import { integerOf, ofKind } from '../../../strict-reader/values-of.js'
import type { Comparison } from '../compare/comparison.js'
import { judgeEntries } from '../compare/entries.js'
import { entrySlot, keysOf, type Slot } from '../compare/slot.js'
import { topField } from './field-facts.js'
import { judgeFieldList } from './fields.js'

export function judgeForm(comparison: Comparison, entry: Slot): void {
  const slot = comparison.follow(entry)
  if (slot.after === undefined) {
    if (slot.before !== undefined) comparison.findings.refuse('field-removed', entry.place)
    return
  }
  comparison.enter(slot.place, 'form')
  const isNew = slot.before === undefined
  if (isNew) comparison.allow('form-added', slot.place, newFormProblem(slot))
  judgeEntries(comparison, slot, {
    roles: ['form'],
    walks: {
      Fields: (fields) => judgeFieldList(comparison, fields, topField, 'form-fields'),
      DR: (resources) => judgeResources(comparison, resources, isNew),
      // A new form has been judged as a whole.
      ...(isNew && { DA: () => undefined }),
    },
    conditions: {
      SigFlags: signatureFlagsProblem,
      DA: ({ before }) => (before === undefined ? undefined : 'The default appearance changed'),
      NeedAppearances: ({ after }) => (after === undefined || after === false ? undefined : 'The flag was set'),
    },
  })
}

function newFormProblem(slot: Slot): string | undefined {
  const unexpected = keysOf(slot).filter((key) => !['Fields', 'SigFlags', 'DA', 'DR'].includes(key))
  return unexpected.length === 0 ? undefined : `Unexpected entry ${unexpected.join(', ')}`
}

function signatureFlagsProblem({ before, after }: Slot): string | undefined {
  const [old, now] = [before === undefined ? 0 : integerOf(before), integerOf(after)]
  if (old === undefined || now === undefined || (now & ~3) !== 0) return 'Not flags of signatures'
  return (now & old) === old ? undefined : 'A flag was cleared'
}

/** Judges `/DR`. No resource may be replaced, because appearances that are drawn later find resources by name. */
function judgeResources(comparison: Comparison, entry: Slot, isNewForm: boolean): void {
  const slot = comparison.follow(entry)
  comparison.enter(slot.place, 'form')
  const rule = isNewForm ? 'form-added' : 'form-resources'
  if (!comparison.isSame(slot)) {
    comparison.allow(rule, slot.place, slot.after === undefined ? 'Resources were removed' : undefined)
  }
  for (const key of keysOf(slot)) judgeCategory(comparison, entrySlot(slot, key), rule)
}

function judgeCategory(comparison: Comparison, entry: Slot, rule: 'form-added' | 'form-resources'): void {
  const category = comparison.follow(entry)
  if (ofKind(category.after, 'dictionary') === undefined) {
    if (!comparison.isSame(category)) comparison.allow(rule, category.place, 'Resources were removed')
    return
  }
  comparison.enter(category.place, 'form')
  for (const name of keysOf(category)) {
    const resource = entrySlot(category, name)
    const { before, after } = resource
    if (!comparison.isSame(resource)) {
      comparison.allow(rule, resource.place, before === undefined ? undefined : 'A resource was replaced')
    }
    if (after === undefined) continue
    const end = { value: after, holder: resource.place.holder, realm: 'content' } as const
    comparison.looseEnds.push(before === undefined ? { ...end, rule } : end)
  }
}
