// Draws every appearance that a change contains once, before the change is applied: an appearance that exceeds the
// render deadline would make its page unreadable for everyone.
import { PoolFailure, type PoolFailureCode } from '../../workers/messages/task.js'
import { accountOf } from '../operation/account.js'
import type { DocumentContext, ReceivedFile } from '../operation/operation.js'
import { invalidArg } from '../refusals/refusal.js'

/** Failures that are caused by the file itself, not by the load of the server. */
const ownFailures: readonly PoolFailureCode[] = ['timed-out', 'worker-lost', 'quarantined']

/**
 * Draws the appearances. Throws `InvalidArg` if one cannot be drawn, and `PoolFailure` if the pool is overloaded or
 * closed.
 */
export async function tryAppearances(files: readonly ReceivedFile[], context: DocumentContext): Promise<void> {
  const { workers } = context.deployment
  const account = accountOf(context)
  for (const { path, sizeBytes, sha256 } of files) {
    const source = { document: sha256, account, key: sha256, path, sizeBytes }
    try {
      await workers.run('appearanceTrial', { source })
    } catch (error) {
      if (!(error instanceof PoolFailure) || error.isStarved || !ownFailures.includes(error.code)) throw error
      throw invalidArg('The appearance cannot be drawn within the limits of this server', { role: 'appearance' })
    }
  }
}
