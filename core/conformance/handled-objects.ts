// Reads the current object of each row through the handlers, for comparison with what the handlers state.

import { Connections } from '../plan/connections.js'
import type { Present } from '../plan/observation.js'
import { observe } from '../plan/refresh.js'
import type { Call, Handler } from '../plugin/handler.js'
import type { Http } from '../ports/http.js'
import { type Address, parseAddress } from '../value/address.js'
import type { Version } from './subject.js'
import type { World } from './world.js'

export interface HandledObject {
  readonly address: Address
  readonly id: string
  readonly handler: Handler
  readonly call: Call<unknown>
  readonly found: Present
}

/**
 * Returns every object of the project that exists; references to objects of others are left out. `http` replaces the
 * usual port.
 */
export async function objectsOf(world: World, version: Version, http?: Http): Promise<readonly HandledObject[]> {
  const engine = await world.engine(version, world.begin())
  const connections = new Connections(http ? { ...engine, ports: { ...engine.ports, http } } : engine)
  const current: HandledObject[] = []
  for (const [address, { id, api, ownership }] of await world.rows(version)) {
    const { provider, kind } = parseAddress(address)
    const handler = connections.handler(provider, kind, api)
    if (id === null || ownership === 'external' || handler.isStateOnly) continue
    const call = connections.call(provider, new AbortController().signal)
    const found = await observe(handler, call, id)
    if (found.type === 'present') current.push({ address, id, handler, call, found })
  }
  return current
}

/** Returns the name of a handler for messages. */
export function labelOf({ kind, api }: Handler): string {
  return api === undefined ? kind : `${kind} (${api})`
}
