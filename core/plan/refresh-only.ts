// `--refresh-only`: finds what changed remotely since the last apply, regardless of the declaration.

import { parseAddress } from '../value/address.js'
import { compare } from './compare.js'
import type { PlanningFacts } from './facts.js'
import { KnownOutputs } from './outputs.js'
import type { Change } from './plan.js'

export async function decideRefresh(facts: PlanningFacts): Promise<readonly Change[]> {
  const values = new KnownOutputs(facts.project.variables, facts.prior.rows)
  const changes: Change[] = []
  for (const [address, row] of facts.rows) {
    const { provider, kind, name } = parseAddress(address)
    const found = facts.found.get(address)
    const resource = facts.resources.get(address)
    const common = {
      address,
      provider,
      kind,
      name,
      unverified: [],
      notes: [],
      after: [],
      deposed: [],
      row,
      ...(row.id === null ? {} : { id: row.id }),
      ...(resource ? { resource } : {}),
      ...(found ? { found } : {}),
    }
    if (found?.type === 'gone') {
      changes.push({ ...common, action: 'forget', cause: 'gone', leaves: [] })
    } else if (found && resource && resource.externalId === undefined) {
      const { handler, desired, declaration } = resource
      const partPolicy = handler.parts?.policy(declaration) ?? 'own'
      const compared = await compare({ handler, desired, row, found, partPolicy, values, hasher: facts.hasher })
      const drifted = compared.changes.filter(({ cause }) => cause === 'drift' || cause === 'both')
      changes.push({
        ...common,
        action: drifted.length > 0 ? 'update' : 'none',
        ...(drifted.length > 0 ? { cause: 'drift' as const } : {}),
        leaves: drifted.map((leaf) => ({ ...leaf, before: leaf.after, after: leaf.before })),
      })
    } else {
      changes.push({ ...common, action: 'none', leaves: [] })
    }
  }
  return changes
}
