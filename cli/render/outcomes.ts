// Prints the outcomes of an apply: one line per change when it ends, and a summary.
import type { Outcome, OutcomeStatus, Plan } from '../../core/plan/plan.js'
import { actions, actionView, statusViews } from './actions.js'
import type { Style } from './style.js'
import { elapsed, visible } from './text.js'

export function renderOutcome(outcome: Outcome, mode: Plan['mode'], style: Style): string {
  const { symbol, colour } = statusViews[outcome.status]
  const id = outcome.id === undefined ? '' : style.dim(`  ${visible(outcome.id)}`)
  const time = outcome.status === 'skipped' ? '' : style.dim(`  ${elapsed(outcome.elapsedMs)}`)
  return `${style[colour](symbol)} ${verb(outcome, mode)} ${style.bold(outcome.address)}${id}${time}${why(outcome)}`
}

function verb({ status, action }: Outcome, mode: Plan['mode']): string {
  const { word, done } = actionView(action, mode)
  if (status === 'done') return done
  if (status === 'partial') return `partly ${done}`
  return status === 'failed' ? `could not ${word}` : status
}

/** Returns the first line of the reason; failures are printed in full after the last change. */
function why({ status, diagnostics }: Outcome): string {
  const first = diagnostics[0]
  if (!first || status === 'done') return ''
  return `: ${visible(status === 'failed' ? first.summary : (first.detail ?? first.summary))}`
}

export type OutcomeCounts = Readonly<Record<OutcomeStatus, number>>

export function countOutcomes(outcomes: readonly Outcome[]): OutcomeCounts {
  const counts: Record<OutcomeStatus, number> = {
    done: 0,
    partial: 0,
    waiting: 0,
    failed: 0,
    skipped: 0,
    interrupted: 0,
  }
  for (const { status } of outcomes) counts[status]++
  return counts
}

/** Renders `Applied: 2 created, 1 updated; 1 failed, 3 skipped.` */
export function renderOutcomeSummary(outcomes: readonly Outcome[], mode: Plan['mode'], style: Style): string {
  const done = actions.flatMap((action) => {
    const count = outcomes.filter((outcome) => outcome.status === 'done' && outcome.action === action).length
    return count === 0 ? [] : [`${count} ${actionView(action, mode).done}`]
  })
  const counts = countOutcomes(outcomes)
  const rest = (['partial', 'waiting', 'failed', 'skipped', 'interrupted'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${counts[status]} ${status === 'partial' ? 'done in part' : status}`)
  const parts = [done.length === 0 ? 'nothing done' : done.join(', '), ...(rest.length === 0 ? [] : [rest.join(', ')])]
  return style.bold(`Applied: ${parts.join('; ')}.`)
}
