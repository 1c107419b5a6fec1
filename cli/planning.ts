// Makes a plan and shows it: the part that plan, apply and destroy have in common.
import { type PlanOptions, planProject } from '../core/engine.js'
import type { Plan } from '../core/plan/plan.js'
import type { Output } from './output.js'
import { renderPlan } from './render/plan.js'
import { planRecords } from './render/plan-records.js'

export async function planAndShow(output: Output, options: PlanOptions): Promise<Plan> {
  const plan = await planProject(options)
  options.signal?.throwIfAborted() // A plan that was cut short must not pass for one that found nothing.
  output.report(plan.diagnostics)
  for (const record of planRecords(plan)) output.record(record)
  output.print(renderPlan(plan, output.style))
  return plan
}
