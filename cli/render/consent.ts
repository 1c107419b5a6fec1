// Renders what the user must agree to: accounts, removals and overwritten values.
import type { FoundBlockers } from '../../core/plan/blockers.js'
import type { Change, Plan } from '../../core/plan/plan.js'
import { renderBlockers } from './blockers.js'
import type { Style } from './style.js'
import { countOf, visible } from './text.js'

export function renderConsent(plan: Plan, blockers: readonly FoundBlockers[], style: Style): string {
  const changes = plan.changes.filter(({ action }) => action !== 'none' && action !== 'waiting')
  const deleted = changes.filter(({ action }) => action === 'remove' || action === 'replace')
  const final = changes.filter(({ irreversible }) => irreversible !== undefined)
  const overwriting = changes.filter(
    ({ cause, action }) => action === 'update' && (cause === 'drift' || cause === 'both'),
  )
  return [
    `${countOf(changes.length, 'change')} in ${style.bold(plan.project)}, reaching`,
    ...[...plan.identities].map(([provider, { host, workspace, account }]) => {
      const facts = [
        ...(workspace === undefined ? [] : [`workspace ${workspace}`]),
        ...(account === undefined ? [] : [`account ${account}`]),
      ]
      return `  ${style.bold(provider)}  ${visible([host, ...facts].join(', '))}`
    }),
    ...countLine(deleted, style.red, (count) => `${countOf(count, 'object is', 'objects are')} deleted.`),
    ...countLine(final, style.red, (count) => `${countOf(count, 'change')} cannot be undone.`),
    ...countLine(
      overwriting,
      style.yellow,
      (count) => `${countOf(count, 'change overwrites', 'changes overwrite')} what was done outside agents.yaml.`,
    ),
    ...(blockers.length === 0 ? [] : [style.red(renderBlockers(blockers))]),
  ].join('\n')
}

function countLine(changes: readonly Change[], paint: (text: string) => string, text: (count: number) => string) {
  return changes.length === 0 ? [] : [paint(text(changes.length))]
}
