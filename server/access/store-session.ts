// Stores the session of a caller that has proven the password of an encrypted document.
import type { OpenedAs } from '../../workers/file/unlock-pdf.js'
import type { DocumentCaller } from '../auth/caller.js'
import type { DocumentContext } from '../operation/operation.js'
import { sessionPlaceOf } from '../operation/password-session.js'
import { transact } from '../storage/transaction.js'

export interface ProvenPassword {
  readonly password: Uint8Array
  readonly openedAs: OpenedAs
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

export async function storeSession(
  context: DocumentContext & { readonly caller: DocumentCaller },
  { password, openedAs, expiresAt }: ProvenPassword,
): Promise<void> {
  const { deployment, tenant, document } = context
  const { slot, place } = sessionPlaceOf(context, { tenant: tenant.internal, document: document.internal })
  const sealed = Buffer.from(deployment.sealing.seal(password, place)).toString('base64')
  await transact(deployment, async (transaction) => {
    await transaction.read(slot)
    transaction.put(slot, { sealed, openedAs: openedAs === 'owner' ? 'owner' : 'user', expiresAt })
  })
}
