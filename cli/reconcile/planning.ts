// Makes a plan and prints it, for plan, apply and destroy.
import type { Source } from '../../core/declaration/load.js'
import { planProject } from '../../core/engine.js'
import type { PlanOptions, RefreshProgress } from '../../core/plan/options.js'
import type { Plan } from '../../core/plan/plan.js'
import { addingPlaces, withPlaces } from '../project/placed.js'
import type { Output } from '../render/output.js'
import { renderPlan } from '../render/plan.js'
import { planRecords } from '../render/plan-records.js'
import type { Style } from '../render/style.js'

/** Plans and prints the plan. `source` gives problems of resources their place in the file. */
export async function planAndShow(
  output: Output,
  source: Source | undefined,
  options: PlanOptions,
  render: (plan: Plan, style: Style) => string = renderPlan,
): Promise<Plan> {
  const onRefresh = ({ done, total }: RefreshProgress) =>
    output.live(`Comparing with the providers: ${done} of ${total}`)
  const plan = await addingPlaces(source, () => planProject({ ...options, onRefresh })).finally(() => output.live(''))
  output.report(withPlaces(plan.diagnostics, source))
  for (const record of planRecords(plan)) output.record(record)
  output.printLines(render(plan, output.style))
  return plan
}
