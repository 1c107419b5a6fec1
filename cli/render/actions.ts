// Words for each action, before and after it happens.
import type { Action, Cause, OutcomeStatus, Plan } from '../../core/plan/plan.js'
import type { Colour } from './style.js'

export interface ActionView {
  readonly symbol: string
  /** Verb in the plan, `create`; also in its summary, "2 to create". */
  readonly word: string
  /** Participle in the outcome, `created`. */
  readonly done: string
  readonly colour: Colour
}

const actionViews: Readonly<Record<Action, ActionView>> = {
  create: { symbol: '+', word: 'create', done: 'created', colour: 'green' },
  update: { symbol: '~', word: 'update', done: 'updated', colour: 'yellow' },
  replace: { symbol: '±', word: 'replace', done: 'replaced', colour: 'red' },
  remove: { symbol: '-', word: 'remove', done: 'removed', colour: 'red' },
  forget: { symbol: '○', word: 'forget', done: 'forgotten', colour: 'cyan' },
  verify: { symbol: '?', word: 'verify', done: 'recorded', colour: 'cyan' },
  resume: { symbol: '»', word: 'resume', done: 'resumed', colour: 'yellow' },
  waiting: { symbol: '…', word: 'wait for', done: 'waiting', colour: 'cyan' },
  none: { symbol: ' ', word: 'leave', done: 'unchanged', colour: 'dim' },
}

/** A refresh updates recorded values only. */
const recordView: ActionView = { symbol: '~', word: 'record', done: 'recorded', colour: 'yellow' }

export function actionView(action: Action, mode: Plan['mode']): ActionView {
  return mode === 'refresh' && action === 'update' ? recordView : actionViews[action]
}

export const actions: readonly Action[] = [
  'create',
  'update',
  'replace',
  'remove',
  'forget',
  'verify',
  'resume',
  'waiting',
  'none',
]

/** Actions that an apply carries out, in the order of the summary line. */
export const effects = ['create', 'update', 'replace', 'remove', 'forget', 'verify', 'resume'] as const

export const causeTexts: Readonly<Record<Cause, string>> = {
  intent: 'the declaration changed',
  drift: 'changed outside agents.yaml',
  both: 'changed in agents.yaml and outside it',
  dependency: 'follows a change of what it uses',
  gone: 'no longer there',
  recorded: 'left open by an earlier run',
  recreated: 'made again, as --recreate says',
}

export const statusViews: Readonly<Record<OutcomeStatus, { readonly symbol: string; readonly colour: Colour }>> = {
  done: { symbol: '✓', colour: 'green' },
  partial: { symbol: '≠', colour: 'yellow' },
  waiting: { symbol: '…', colour: 'cyan' },
  failed: { symbol: '✗', colour: 'red' },
  skipped: { symbol: '-', colour: 'yellow' },
  interrupted: { symbol: '!', colour: 'yellow' },
}
