// Access to a document: with the token of the address, or by opening a share.

import type { Static } from 'typebox'
import type { ShareSession } from '../../schemas/share.js'
import { ApiClient } from '../shared/api-client.js'
import { ApiError, errorIn } from '../shared/api-error.js'
import type { Page } from './address.js'
import type { LayerName } from './engine/opened-document.js'
import { Guest } from './guest.js'

export interface Access {
  readonly client: ApiClient
  readonly name: LayerName
  /** Layers that the page can show. */
  readonly layers: readonly string[]
  /** Present for a share, whose visitors say themselves who they are. */
  readonly guest?: Guest
}

/** Throws `ApiError`; its code is `SharePasswordRequired` if the share needs another passphrase. */
export async function openAccess({ address, base }: Page, passphrase?: string): Promise<Access> {
  if (address.kind === 'document') {
    const { docId, layer, token, layers } = address
    if (token === undefined) throw new ApiError(0, 'TokenMissing', 'The address has no token')
    return { client: new ApiClient({ base, token }), name: { docId, layer }, layers }
  }
  const guest = new Guest(() => localStorage)
  const exchange = { shareToken: address.shareId, ...(passphrase === undefined ? {} : { password: passphrase }) }
  const session = await openShare(base, { ...exchange, ...guest.members })
  guest.isNow(session.displayName)
  // A session is short, and the share may still be open when it ends.
  const renew = async () => (await openShare(base, { ...exchange, ...guest.members }).catch(() => undefined))?.token
  return {
    client: new ApiClient({ base, token: session.token, renew }),
    name: { docId: session.docId, layer: session.layerName },
    layers: [session.layerName],
    guest,
  }
}

async function openShare(base: URL, exchange: object): Promise<Static<typeof ShareSession>> {
  const answer = await fetch(new URL('v1/share-sessions', base), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(exchange),
  }).catch(() => {
    throw new ApiError(0, 'Offline', 'The server does not answer')
  })
  if (!answer.ok) throw await errorIn(answer)
  return (await answer.json()) as Static<typeof ShareSession>
}
