// `--refresh-only`: takes what was found for what is recorded. Nothing remote is changed, and later plans show no drift.
import { absentHash, leafHashes } from '../plan/base.js'
import type { Change } from '../plan/plan.js'
import type { Row } from '../state/row.js'
import type { Task } from './work.js'

export async function recordDrift({ work, address }: Task, { leaves, row }: Change): Promise<'done'> {
  const held = work.state.rows.get(address) ?? row
  if (!held) throw new Error(`${address}: nothing is recorded that could have drifted`)
  const recorded: Record<string, Row['leaves'][string]> = { ...held.leaves }
  for (const { path, beforeHash: observed } of leaves) {
    const before = held.leaves[path]
    const desired = before === undefined ? absentHash : typeof before === 'string' ? before : before[0]
    recorded[path] = leafHashes(desired, observed)
  }
  await work.state.put(address, { ...held, leaves: recorded })
  return 'done'
}
