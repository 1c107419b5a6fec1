// Initial content of a new object. It is recorded together with the object's id: otherwise a crash could leave an empty
// object that counts as filled (agent configuration 2.8, P-A rule 5).

import type { Resource } from '../graph/resource.js'
import { compare } from '../plan/compare.js'
import { leavesByPart, partHash } from '../plan/part-hash.js'
import type { Row } from '../state/row.js'
import type { Work } from './work.js'

/**
 * Returns the parts to record as pending before the create; none if the declaration owns its parts, because a part
 * recorded as pending would count as ours, whoever created it.
 */
export async function initialParts(
  { values, hasher }: Pick<Work, 'values' | 'hasher'>,
  { handler, declaration, desired }: Resource,
): Promise<Pick<Row, 'operation'>> {
  const partPolicy = handler.parts?.policy(declaration) ?? 'own'
  if (partPolicy === 'own') return {}
  const unwritten = { row: undefined, found: undefined, partPolicy }
  const { changes } = await compare({ handler, desired, values, hasher, ...unwritten })
  const parts = [...leavesByPart(handler, changes)].map(([key, leaves]) => [key, partHash(hasher, leaves)] as const)
  return parts.length === 0 ? {} : { operation: { type: 'parts', pending: Object.fromEntries(parts) } }
}
