// Decides whether a plan has changes; exit codes, consent and summaries depend on it.
import type { Change } from '../../core/plan/plan.js'

/** True if an apply would change something; waiting is not a change. */
export function hasEffects({ changes }: { readonly changes: readonly Pick<Change, 'action'>[] }): boolean {
  return changes.some(({ action }) => action !== 'none' && action !== 'waiting')
}
