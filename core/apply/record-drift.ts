// `--refresh-only`: records the observed values as the last applied ones, and changes nothing remote. The next plan
// shows differences to the declaration as intents.
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
