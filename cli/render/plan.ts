// Renders a plan for people: every changed value, the reasons, and what cannot be undone.
import { marks } from '../../core/graph/resource.js'
import type { Action, Change, Plan } from '../../core/plan/plan.js'
import { actions, actionView, causeTexts, effects } from './actions.js'
import { renderLeaf } from './leaf.js'
import type { Style } from './style.js'
import { countOf, visible } from './text.js'
import { renderUploads } from './uploads.js'

export type ActionCounts = Readonly<Record<Action, number>>

export function countActions(changes: readonly Pick<Change, 'action'>[]): ActionCounts {
  const counted = new Map(actions.map((action) => [action, 0]))
  for (const { action } of changes) counted.set(action, (counted.get(action) ?? 0) + 1)
  return Object.fromEntries(counted) as ActionCounts
}

export function renderPlan(plan: Plan, style: Style): string {
  const shown = plan.changes.filter(({ action, notes }) => action !== 'none' || notes.length > 0)
  const blocks = shown.map((change) => renderChange(shownOf(change), plan.mode, style).join('\n'))
  return [...blocks, ...renderRenames(plan, style), renderSummary(countActions(plan.changes), plan.mode, style)].join(
    '\n\n',
  )
}

/** What people see of a change; that of a saved plan has no resource. */
export interface ShownChange
  extends Pick<Change, 'address' | 'action' | 'cause' | 'leaves' | 'unverified' | 'irreversible'> {
  readonly uploads: readonly string[]
  readonly notes: readonly string[]
  /** True if state has a row for it. */
  readonly isRecorded: boolean
}

function shownOf(change: Change): ShownChange {
  const notes = change.notes.map(({ summary, detail }) => detail ?? summary)
  return { ...change, uploads: renderUploads(change), notes, isRecorded: change.row !== undefined }
}

export function renderChange(change: ShownChange, mode: Plan['mode'], style: Style): readonly string[] {
  const { symbol, word, colour } = actionView(change.action, mode)
  const why = reason(change, mode)
  const heading = `${style[colour](symbol)} ${style.bold(`${word} ${change.address}`)}`
  const isNew = change.action === 'create' || change.action === 'replace'
  const leaves = isNew ? change.leaves.filter(({ path }) => !isMark(path)) : change.leaves
  const lines = leaves.flatMap((leaf) => renderLeaf(leaf, change.cause, style))
  return [
    heading + (why === undefined ? '' : style.dim(`  (${why})`)),
    ...lines.map((line) => `    ${line}`),
    ...change.uploads.map((line) => `    ${style.dim(`  ${line}`)}`),
    ...change.unverified.map((path) => `    ${style.dim(`  ${visible(path)}: (unverified)`)}`),
    ...(change.irreversible === undefined ? [] : [`    ${style.red('!')} ${visible(change.irreversible)}`]),
    ...change.notes.map((note) => `    ${style.yellow('!')} ${visible(note)}`),
  ]
}

/** Leaves out ownership marks of new objects; they are shown only if they change. */
function isMark(path: string): boolean {
  return Object.values(marks).some((mark) => path.endsWith(`/${mark}`))
}

/** Returns why the change is made. */
function reason({ action, cause, isRecorded }: ShownChange, mode: Plan['mode']): string | undefined {
  if (cause === undefined) return undefined
  if (action === 'waiting') return 'the provider creates it later'
  if (cause !== 'intent') return causeTexts[cause]
  if (action === 'remove' || action === 'forget') return mode === 'destroy' ? undefined : 'no longer declared'
  return isRecorded ? causeTexts[cause] : undefined
}

function renderRenames({ likelyRenames }: Plan, style: Style): readonly string[] {
  if (likelyRenames.length === 0) return []
  const lines = likelyRenames.map(({ from, to }) => `    agents state mv ${from} ${to}`)
  return [
    [
      `${style.yellow('!')} ${countOf(likelyRenames.length, 'resource looks', 'resources look')} renamed: what is removed equals what is created. To keep the ${likelyRenames.length === 1 ? 'object' : 'objects'}, run:`,
      ...lines,
    ].join('\n'),
  ]
}

/** Renders `Plan: 1 to create, 2 to update. 3 unchanged.` */
export function renderSummary(counts: ActionCounts, mode: Plan['mode'], style: Style): string {
  const waiting = counts.waiting > 0 ? `, ${counts.waiting} waiting` : ''
  if (effects.every((action) => counts[action] === 0)) {
    return style.bold(`No changes. ${countOf(counts.none, 'resource')} as declared${waiting}.`)
  }
  const parts = effects
    .filter((action) => counts[action] > 0)
    .map((action) => `${counts[action]} to ${actionView(action, mode).word}`)
  const unchanged =
    counts.none > 0 ? ` ${counts.none} unchanged${waiting}.` : waiting === '' ? '' : ` ${counts.waiting} waiting.`
  return style.bold(`Plan: ${parts.join(', ')}.${unchanged}`)
}
