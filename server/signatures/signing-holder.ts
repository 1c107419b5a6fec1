// Decides who holds a pending signing: a person completes and cancels only what they prepared, because the version says that it is theirs.
// The API token and tenant tokens act for everybody.

import type { Caller } from '../auth/caller.js'
import { callerKeyOf } from '../auth/caller-key.js'
import { signingPending } from '../changes/refuse-pending.js'
import type { SigningRow } from '../rows/signing.js'

/** Throws `SigningPending`, which says who holds the open signing and until when. */
export function refuseForeign(caller: Caller, id: string, row: SigningRow): void {
  if (row.state !== 'open' || caller.kind !== 'document' || callerKeyOf(caller) === row.caller) return
  throw signingPending({ id, expiresAt: row.expiresAt }, holderOf(row))
}

/** Returns the user id, the name or the subject of who prepared it, by its key (`callerKeyOf`); `api` for the API token. */
export function holderOf({ caller }: Pick<SigningRow, 'caller'>): string {
  const [, kind = '', rest = ''] = /^(\w+) ([\s\S]*)$/.exec(caller) ?? []
  if (kind === 'user' || kind === 'name') return String(JSON.parse(rest)[1])
  return kind === '' ? caller : rest
}
