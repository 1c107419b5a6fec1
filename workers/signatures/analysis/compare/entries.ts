// Judges the entries of a dictionary by its role.
import type { Role } from '../policy/policy-rule.js'
import { type RuleName, rules } from '../policy/rules.js'
import type { Comparison, LooseEnd } from './comparison.js'
import { entrySlot, keysOf, type Slot } from './slot.js'

export interface EntryWork {
  /** Roles that the dictionary has at once: a field and its widget. */
  readonly roles: readonly Role[]
  /** Entries with a walk of their own, which also judges their differences. */
  readonly walks?: Readonly<Record<string, (slot: Slot) => void>>
  /** Further conditions of a rule. Each returns why a change violates it. */
  readonly conditions?: Readonly<Record<string, (slot: Slot) => string | undefined>>
  /** Entries from which something is drawn. */
  readonly drawn?: readonly string[]
  /** Called for every changed entry in place of the rules; reports a refusal, such as that of a locked field. */
  readonly refusal?: (slot: Slot) => void
  /** Rule by which objects below permitted entries may have changed too. */
  readonly partsRule?: RuleName
}

/** Judges all entries, including unchanged ones, because objects that they refer to may have changed. */
export function judgeEntries(comparison: Comparison, slot: Slot, work: EntryWork): void {
  for (const key of keysOf(slot)) {
    const entry = entrySlot(slot, key)
    const walk = work.walks?.[key]
    if (walk !== undefined) {
      comparison.attempt(entry.place, () => walk(entry))
      noteFollowed(comparison, entry)
      continue
    }
    const isPermitted = comparison.isSame(entry) ? undefined : judgeEntry(comparison, key, entry, work)
    const { after } = entry
    if (typeof after !== 'object' || after === null || after.kind === 'name' || after.kind === 'string') continue
    const end: LooseEnd = {
      value: after,
      holder: entry.place.holder,
      realm: work.drawn?.includes(key) ? 'content' : 'other',
    }
    comparison.looseEnds.push(isPermitted && work.partsRule !== undefined ? { ...end, rule: work.partsRule } : end)
  }
}

/** Reports that the object itself changed by naming a target, which the walk has judged. */
function noteFollowed(comparison: Comparison, entry: Slot): void {
  const { holder } = entry.place
  if (!comparison.changes.has(holder) || comparison.findings.isAbout(holder) || comparison.isSame(entry)) return
  comparison.allow('followed-entry', entry.place)
}

function judgeEntry(comparison: Comparison, key: string, entry: Slot, work: EntryWork): boolean {
  if (work.refusal !== undefined) {
    work.refusal(entry)
    return false
  }
  const row = rules.find(({ role, keys }) => work.roles.includes(role) && (keys as readonly string[]).includes(key))
  if (row !== undefined) return comparison.allow(row.rule, entry.place, work.conditions?.[key]?.(entry))
  comparison.findings.refuse('no-rule', entry.place)
  return false
}
