// Whether a plan is more than a look: what exit codes, consent and summaries hang on.
import type { Change } from '../../core/plan/plan.js'

/** True when an apply would do something. What only waits is nothing to do. */
export function hasEffects({ changes }: { readonly changes: readonly Pick<Change, 'action'>[] }): boolean {
  return changes.some(({ action }) => action !== 'none' && action !== 'waiting')
}
