// Finds what `--cascade` would end and prints it before consent is asked and anything is removed.

import { blockersOf, type FoundBlockers } from '../../core/plan/blockers.js'
import type { EngineOptions } from '../../core/plan/options.js'
import type { Plan } from '../../core/plan/plan.js'
import { renderBlockers } from '../render/blockers.js'
import type { Output } from '../render/output.js'

export async function foundBlockers(
  output: Output,
  plan: Plan,
  engine: EngineOptions,
): Promise<readonly FoundBlockers[]> {
  const found = await blockersOf(plan, engine)
  for (const { address, labels } of found)
    for (const label of labels) output.record({ type: 'blocker', address, label })
  if (found.length > 0) output.print(`\n${output.style.red(renderBlockers(found))}`)
  return found
}
