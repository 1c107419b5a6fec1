// Stores the session of a caller that has proven the password of an encrypted document.
import type { OpenedAs } from '../../workers/file/unlock-pdf.js'
import type { DocumentCaller } from '../auth/caller.js'
import type { DocumentContext } from '../operation/operation.js'
import { sessionPlacesOf } from '../operation/password-session.js'
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
  const { sealing } = deployment
  const places = sessionPlacesOf(context, { tenant: tenant.internal, document: document.internal })
  await transact(deployment, async (transaction) => {
    for (const { slot, place } of places) {
      await transaction.read(slot)
      const sealed = Buffer.from(sealing.seal(password, place)).toString('base64')
      transaction.put(slot, { sealed, openedAs: openedAs === 'owner' ? 'owner' : 'user', expiresAt })
    }
  })
}
