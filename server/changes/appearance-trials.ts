// Has every appearance that a change brings along drawn once before the change is made. A page with one that takes longer
// could be drawn for nobody.
import { PoolFailure, type PoolFailureCode } from '../../workers/messages/task.js'
import { accountOf } from '../operation/account.js'
import type { DocumentContext, ReceivedFile } from '../operation/operation.js'
import { invalidArg } from '../refusals/refusal.js'

/** What the file itself brought about. */
const ownFailures: readonly PoolFailureCode[] = ['timed-out', 'worker-lost', 'quarantined']

/** Throws `InvalidArg`, or a `PoolFailure` of now. */
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
