// Renders a saved plan for people and as records: every change and the names of its leaves. The file contains no
// values.

import type { SavedPlan } from '../../core/plan/plan-file.js'
import { shellWord } from '../../core/value/shell-word.js'
import { actionView } from './actions.js'
import { hasEffects } from './effects.js'
import type { JsonRecord } from './output.js'
import { type ActionCounts, countActions, reason, renderSummary } from './plan.js'
import type { Style } from './style.js'
import { columns, visible } from './text.js'

type SavedChange = SavedPlan['changes'][number]
type Leaf = ReturnType<typeof leavesOf>[number]

/** Hashes of a missing value, and of one that is known only after apply. */
const [absent, unknown] = ['-', '?']

export function savedPlanRecords(saved: SavedPlan): readonly JsonRecord[] {
  const { mode, project, lineage, serial, scope, recreate, hosts, changes } = saved
  return [
    { type: 'savedPlan', mode, project, lineage, serial, scope, recreate, hosts },
    ...changes.map((change): JsonRecord => {
      const { address, action, cause, irreversible, id, deposed = [] } = change
      return { type: 'change', address, action, cause, irreversible, id, deposed, leaves: leavesOf(change) }
    }),
    { type: 'summary', mode, project, hasChanges: hasEffects(saved), counts: countsOf(saved) },
  ]
}

export function renderSavedPlan(saved: SavedPlan, path: string, style: Style): string {
  const { mode, project, serial, scope, recreate, hosts, changes } = saved
  const named = (name: string, words: readonly string[]) => (words.length === 0 ? [] : [[name, words.join(', ')]])
  const facts = [
    ['project', project],
    ['made from', `state serial ${serial}`],
    ...(mode === 'apply' ? [] : [['mode', mode]]),
    ...named('--provider', scope.providers),
    ...named('--target', scope.targets),
    ...named('--exclude', scope.excludes),
    ...named('--recreate', recreate),
    ...Object.entries(hosts).map(([provider, host]) => [provider, host]),
  ]
  const blocks = changes.map((change) => renderChange(change, mode, style).join('\n'))
  const carryOut = `To carry out exactly this: agents apply ${visible(shellWord(path))}`
  return [
    columns(facts.map((row) => row.map(visible))),
    ...blocks,
    renderSummary(countsOf(saved), mode, style),
    hasEffects(saved) ? carryOut : 'Applying it would change nothing.',
  ].join('\n\n')
}

function countsOf({ changes, unchanged = 0 }: SavedPlan): ActionCounts {
  return { ...countActions(changes), none: unchanged }
}

function renderChange(change: SavedChange, mode: SavedPlan['mode'], style: Style): readonly string[] {
  const { address, action, irreversible, id, deposed = [] } = change
  const { symbol, word, colour } = actionView(action, mode)
  const why = reason({ ...change, row: id }, mode)
  const heading = `${style[colour](symbol)} ${style.bold(`${word} ${visible(address)}`)}`
  return [
    heading +
      (why === undefined ? '' : style.dim(`  (${why})`)) +
      (id === undefined ? '' : style.dim(`  ${visible(id)}`)),
    ...leavesOf(change).map((leaf) => `    ${renderLeaf(leaf, style)}`),
    ...deposed.map((old) => `    ${style.red('-')} ${visible(old)}, replaced by an earlier run`),
    ...(irreversible === undefined ? [] : [`    ${style.red('!')} ${visible(irreversible)}`]),
  ]
}

function renderLeaf({ label, change, isKnown }: Leaf, style: Style): string {
  const [symbol, colour] = leafViews[change]
  return `${style[colour](symbol)} ${visible(label)}${isKnown ? '' : style.dim(' (known after apply)')}`
}

const leafViews = { added: ['+', 'green'], removed: ['-', 'red'], changed: ['~', 'yellow'] } as const

function leavesOf({ leaves = {}, labels = {} }: SavedChange) {
  return Object.entries(leaves).map(([path, [before, after]]) => ({
    path,
    label: labels[path] ?? path,
    change: before === absent ? ('added' as const) : after === absent ? ('removed' as const) : ('changed' as const),
    isKnown: after !== unknown,
  }))
}
