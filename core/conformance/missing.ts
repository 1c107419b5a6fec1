// Rows whose objects a service does not list, because they are part of others (mounts). They are read through the
// provider's own handlers.

import { Connections } from '../plan/connections.js'
import type { EngineOptions } from '../plan/options.js'
import { observe } from '../plan/refresh.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'

/** Returns one line for each row that has no object. Objects of a kind that the service lists must be in that list. */
export async function missingAmong(
  engine: EngineOptions,
  unlisted: readonly (readonly [Address, Row])[],
  listedKinds: ReadonlySet<string>,
): Promise<readonly string[]> {
  const connections = new Connections(engine)
  const lost: string[] = []
  for (const [address, { id, api }] of unlisted) {
    const { provider, kind } = parseAddress(address)
    const call = connections.call(provider, new AbortController().signal)
    const isThere =
      !listedKinds.has(kind) &&
      (await observe(connections.handler(provider, kind, api), call, id ?? '')).type === 'present'
    if (!isThere) lost.push(`${address} ${id}`)
  }
  return lost
}
