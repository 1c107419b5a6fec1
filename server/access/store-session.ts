// Stores the session of a caller that has proven the password of an encrypted document.
import type { OpenedAs } from '../../workers/file/unlock-pdf.js'
import type { DocumentCaller } from '../auth/caller.js'
import { limits } from '../limits.js'
import type { DocumentContext } from '../operation/operation.js'
import { sessionPlacesOf } from '../operation/password-session.js'
import type { PasswordSessionRow } from '../rows/password-session.js'
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
  const { sealing, tables } = deployment
  const owner = { tenant: tenant.internal, document: document.internal }
  const [ofToken, ofWindow] = sessionPlacesOf(context, owner)
  const rowAt = ({ place }: { readonly place: string }): PasswordSessionRow => ({
    sealed: Buffer.from(sealing.seal(password, place)).toString('base64'),
    openedAs: openedAs === 'owner' ? 'owner' : 'user',
    expiresAt,
  })
  await transact(deployment, async (transaction) => {
    const { windows: earlier = [] } = (await transaction.read(ofToken.slot)) ?? {}
    const windows = [...earlier.filter((id) => id !== ofWindow?.id), ...(ofWindow ? [ofWindow.id] : [])]
    const kept = windows.slice(-limits.windowsOfTokenMax)
    transaction.put(ofToken.slot, { ...rowAt(ofToken), windows: kept })
    if (ofWindow === undefined) return
    await transaction.read(ofWindow.slot)
    transaction.put(ofWindow.slot, rowAt(ofWindow))
    // A token may name any number of windows, and each has a row.
    for (const id of windows.slice(0, -kept.length)) {
      const slot = tables.passwordSessions.at([owner.tenant, owner.document, id])
      if ((await transaction.read(slot)) !== undefined) transaction.remove(slot)
    }
  })
}
