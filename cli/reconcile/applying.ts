// Applies a plan, prints progress, and turns the outcomes into an exit code.

import type { ApplyOptions, ApplyResult } from '../../core/apply/options.js'
import { applyPlan } from '../../core/engine.js'
import type { Outcome, Plan } from '../../core/plan/plan.js'
import { countOutcomes, renderOutcomeSummary } from '../render/outcomes.js'
import type { Output } from '../render/output.js'
import { ProgressView } from '../render/progress.js'
import { counted } from '../render/text.js'
import type { Context } from '../terminal/context.js'
import { type ExitCode, exitCode } from '../terminal/exit-codes.js'
import type { Interruption } from '../terminal/interruption.js'

const listedMax = 10

export interface ApplyContext {
  readonly output: Output
  readonly context: Context
  readonly interruption: Interruption
}

export async function applyAndShow(
  { output, context, interruption }: ApplyContext,
  plan: Plan,
  options: ApplyOptions,
): Promise<ExitCode> {
  const total = plan.changes.filter(({ action }) => action !== 'none').length
  const progress = new ProgressView(output, { mode: plan.mode, total, columns: columnsOf(context) })
  interruption.reportBy((which) => {
    output.live('')
    output.note(
      which === 'first'
        ? `Stopping: nothing new is started. ${progress.inFlight()}Ctrl-C again stops at once.`
        : 'Stopping at once. What was in flight is recorded; the next run finds out how it ended.',
    )
  })
  const applied = applyPlan(plan, {
    ...options,
    gentleStop: interruption.gentle,
    hardStop: interruption.hard,
    onProgress: (step) => progress.take(step),
  })
  return summarise(output, plan, await applied.finally(() => progress.end()))
}

function summarise(output: Output, plan: Plan, { outcomes, wasInterrupted, unrecorded }: ApplyResult): ExitCode {
  const counts = countOutcomes(outcomes)
  const failed = outcomes.filter(({ status }) => status === 'failed' || status === 'partial')
  // Under --json the records of the outcomes contained these diagnostics already.
  if (!output.isJson) output.report(failed.flatMap(({ diagnostics }) => diagnostics))
  output.report(unrecorded)
  const left = leftOver(plan, outcomes)
  output.record({ type: 'summary', mode: plan.mode, project: plan.project, outcomes: counts, wasInterrupted, left })
  output.print(`\n${renderOutcomeSummary(outcomes, plan.mode, output.style)}`)
  if (wasInterrupted) {
    output.note(leftText(left))
    return exitCode.interrupted
  }
  const notDone = counts.partial + counts.failed + counts.skipped + counts.interrupted + unrecorded.length
  if (notDone === 0) return exitCode.done
  return counts.done + counts.partial > 0 ? exitCode.partial : exitCode.failed
}

/** Returns addresses of changes that were planned and not done. */
function leftOver({ changes }: Plan, outcomes: readonly Outcome[]): readonly string[] {
  const settled = new Set(outcomes.filter(({ status }) => status === 'done').map(({ address }) => address))
  return changes
    .filter(({ action, address }) => action !== 'none' && action !== 'waiting' && !settled.has(address))
    .map(({ address }) => address)
}

function leftText(left: readonly string[]): string {
  if (left.length === 0) return 'Interrupted, but everything was done.'
  const more = left.length > listedMax ? [`  … and ${left.length - listedMax} more`] : []
  const lines = left.slice(0, listedMax).map((address) => `  ${address}`)
  return [
    `Interrupted; ${counted(left.length, 'change is', 'changes are')} left. Run the command again to go on:`,
    ...lines,
    ...more,
  ].join('\n')
}

function columnsOf({ stderr }: Context): number | undefined {
  return 'columns' in stderr && typeof stderr.columns === 'number' ? stderr.columns : undefined
}
