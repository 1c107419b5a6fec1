// Renders a plan as NDJSON: a record for every change that does or reports something, then the summary.
import type { Plan, PlannedLeaf } from '../../core/plan/plan.js'
import { hasEffects } from './effects.js'
import type { JsonRecord } from './output.js'
import { countActions } from './plan.js'
import { uploadsOf } from './uploads.js'

export function planRecords(plan: Plan): readonly JsonRecord[] {
  const changes = plan.changes
    .filter(({ action, notes }) => action !== 'none' || notes.length > 0)
    .map(
      (change): JsonRecord => ({
        type: 'change',
        address: change.address,
        provider: change.provider,
        kind: change.kind,
        name: change.name,
        action: change.action,
        cause: change.cause,
        id: change.id,
        movedFrom: change.movedFrom,
        deposed: change.deposed,
        irreversible: change.irreversible,
        leaves: change.leaves.map(leafRecord),
        uploads: uploadsOf(change),
        unverified: change.unverified,
        after: change.after,
        notes: change.notes,
      }),
    )
  return [
    ...changes,
    ...plan.likelyRenames.map((rename): JsonRecord => ({ type: 'likelyRename', ...rename })),
    {
      type: 'summary',
      mode: plan.mode,
      project: plan.project,
      hasChanges: hasEffects(plan),
      counts: countActions(plan.changes),
    },
  ]
}

export function leafRecord({ path, label, before, after, cause, forcesReplacement }: PlannedLeaf) {
  return { path, label, before, after, cause, forcesReplacement }
}
