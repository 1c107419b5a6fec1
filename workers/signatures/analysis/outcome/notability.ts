// Ranks rules by how much the changes matter that they permit: the first permitted finding represents all of them.
import type { PolicyRule, Role } from '../policy/policy-rule.js'
import { rules } from '../policy/rules.js'

const levels: readonly PolicyRule['level'][] = ['annotate', 'fill', 'lta']

/** Roles of what people read; others are what it is drawn from or listed in. */
const notableRoles: readonly Role[] = [
  'field',
  'signature-field',
  'annotation',
  'widget',
  'security-store',
  'page',
  'form',
]

/** Rules of entries that say nothing to a reader; a new identifier alone is no change. */
const technical: readonly string[] = ['followed-entry', 'unreferenced-object', 'file-identifier']

const ranks: ReadonlyMap<string, readonly [number, number]> = new Map(rules.map((row) => [row.rule, rankOf(row)]))

/** Compares rules of permitted changes: negative if the first one is more notable. */
export function compareNotability(one: string, other: string): number {
  const [[level, place], [otherLevel, otherPlace]] = [ranks.get(one) ?? [0, 0], ranks.get(other) ?? [0, 0]]
  return level - otherLevel || place - otherPlace
}

function rankOf({ rule, level, role }: PolicyRule): readonly [number, number] {
  const rank = technical.indexOf(rule)
  if (rank >= 0) return [levels.length, rank]
  const place = notableRoles.indexOf(role)
  return [levels.indexOf(level), place < 0 ? notableRoles.length : place]
}
