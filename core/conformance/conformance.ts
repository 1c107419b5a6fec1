// Entry point of the conformance suite. It loads the suite and the engine only when it runs, so that importing the
// plugin contract stays cheap.
import type { Runner, Subject } from './subject.js'

export type { RemoteObject, Runner, Service, Subject, Version } from './subject.js'

/**
 * Tests a provider against the real engine: plan, apply, **plan again is empty**, drift, edits, crashes at every write,
 * lost answers, overload, destroy, nothing left.
 *
 * ```js
 * import { test } from 'node:test'
 * import { kinds } from 'steward/kinds'
 * import { conformance } from 'steward/plugin'
 *
 * await conformance({ test }, { provider, kinds, project, edits, startService })
 * ```
 *
 * Resolves when the last test has ended; failures are reported by the runner.
 */
export async function conformance(runner: Runner, subject: Subject): Promise<void> {
  const { runStages } = await import('./suite.js')
  await runStages(runner, subject)
}
