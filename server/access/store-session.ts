// Stores the session of a caller that has proven the password of an encrypted document, counted, in place of the oldest one
// of its token or share if there are many.
import type { OpenedAs } from '../../workers/file/unlock-pdf.js'
import type { DocumentCaller } from '../auth/caller.js'
import { limits } from '../limits.js'
import type { DocumentContext } from '../operation/operation.js'
import { type SessionPlace, sessionListOf, sessionPlacesOf } from '../operation/password-session.js'
import type { PasswordSessionRow } from '../rows/password-session.js'
import { rowKinds } from '../storage/row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Slot } from '../storage/table.js'
import { transact } from '../storage/transaction.js'

export interface ProvenPassword {
  readonly password: Uint8Array
  readonly openedAs: OpenedAs
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

type Row = Omit<PasswordSessionRow, 'rowBytes'>

export async function storeSession(
  context: DocumentContext & { readonly caller: DocumentCaller },
  { password, openedAs, expiresAt }: ProvenPassword,
): Promise<void> {
  const { deployment, tenant, document, caller } = context
  const { sealing, tables } = deployment
  const owner = { tenant: tenant.internal, document: document.internal }
  const list = sessionListOf(context, owner)
  const places = sessionPlacesOf(context, owner)
  const isOfShare = caller.share !== undefined
  const max = isOfShare ? limits.sessionsOfShareMax : limits.sessionsOfTokenMax
  const role: Row['openedAs'] = openedAs === 'owner' ? 'owner' : 'user'
  const sessionAt = ({ place }: SessionPlace): Row => ({
    sealed: Buffer.from(sealing.seal(password, place)).toString('base64'),
    openedAs: role,
    expiresAt,
  })
  await transact(deployment, async (transaction) => {
    let bytes = 0
    const put = async (slot: Slot<PasswordSessionRow>, row: Row | undefined) => {
      const before = await transaction.read(slot)
      const after = row && { ...row, rowBytes: Buffer.byteLength(JSON.stringify(row)) }
      if (after !== undefined) transaction.put(slot, after)
      else if (before !== undefined) transaction.remove(slot)
      bytes += rowKinds.passwordSessions.storedBytes(after) - rowKinds.passwordSessions.storedBytes(before)
    }
    const opened = places.filter(({ id }) => id !== list.id)
    const { sessions: earlier = [] } = (await transaction.read(list.slot)) ?? {}
    const sessions = [
      ...earlier.filter((earlierId) => opened.every(({ id }) => id !== earlierId)),
      ...opened.map(({ id }) => id),
    ]
    const kept = sessions.slice(-max)
    const whole = isOfShare ? { sealed: '', openedAs: role, expiresAt } : sessionAt(list)
    await put(list.slot, { ...whole, sessions: kept })
    for (const place of opened) await put(place.slot, sessionAt(place))
    for (const id of sessions.slice(0, -kept.length)) {
      await put(tables.passwordSessions.at([owner.tenant, owner.document, id]), undefined)
    }
    await countStored(tables, transaction, owner, bytes)
  })
}
