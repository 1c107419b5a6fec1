// `--refresh-only`: takes what was found for what was last applied. Nothing remote is changed; where the declaration
// says something else, the next plan shows that as its intent.
import type { Change } from '../plan/plan.js'
import type { Row } from '../state/row.js'
import type { Task } from './work.js'

export async function recordDrift({ work, address }: Task, { leaves, row }: Change): Promise<'done'> {
  const current = work.state.rows.get(address) ?? row
  if (!current) throw new Error(`${address}: nothing is recorded that could have drifted`)
  const recorded: Record<string, Row['leaves'][string]> = { ...current.leaves }
  for (const { path, beforeHash: observed } of leaves) recorded[path] = observed
  await work.state.put(address, { ...current, leaves: recorded })
  return 'done'
}
