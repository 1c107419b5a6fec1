// Renders a saved plan for people and as records, with the values that the plan showed.

import type { PlannedLeaf } from '../../core/plan/plan.js'
import type { SavedPlan } from '../../core/plan/plan-file.js'
import { shellWord } from '../../core/value/shell-word.js'
import type { LeafPath } from '../../core/value/tree.js'
import { hasEffects } from './effects.js'
import type { JsonRecord } from './output.js'
import { type ActionCounts, countActions, movedTo, renderChanges, renderSummary, type ShownChange } from './plan.js'
import { leafRecord } from './plan-records.js'
import type { Style } from './style.js'
import { columns, visible } from './text.js'

type SavedChange = SavedPlan['changes'][number]

export function savedPlanRecords(saved: SavedPlan): readonly JsonRecord[] {
  const { mode, project, lineage, serial, scope, recreate, hosts, changes } = saved
  return [
    { type: 'savedPlan', mode, project, lineage, serial, scope, recreate, hosts },
    ...changes.map((change): JsonRecord => {
      const { address, action, cause, irreversible, id, deposed = [] } = change
      return {
        type: 'change',
        address,
        action,
        cause,
        irreversible,
        id,
        deposed,
        leaves: leavesOf(change).map(leafRecord),
      }
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
  const blocks = renderChanges(
    changes.map((change) => shownOf(change, changes)),
    { mode, style, names: new Map(Object.entries(saved.names)) },
  )
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

function shownOf(change: SavedChange, all: readonly SavedChange[]): ShownChange {
  const { address, id, deposed = [], unverified = [], notes = [] } = change
  return {
    ...change,
    address: visible(address),
    leaves: leavesOf(change),
    uploads: [],
    unverified,
    notes,
    shownId: id,
    movedTo: visibly(movedTo(change, all)),
    replaced: deposed,
    isRecorded: id !== undefined,
  }
}

const visibly = (text: string | undefined): string | undefined => (text === undefined ? undefined : visible(text))

function leavesOf({ leaves = {} }: SavedChange): readonly PlannedLeaf[] {
  return Object.entries(leaves).map(
    ([
      path,
      {
        hashes: [beforeHash, afterHash],
        ...leaf
      },
    ]) => ({
      path: path as LeafPath, // A key of `leaves` is one, as the plan wrote it.
      ...leaf,
      beforeHash,
      afterHash,
    }),
  )
}
