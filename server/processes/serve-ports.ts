// Serves what the processes of a server share to one of them, until it ends.
import type { Rates } from '../auth/rates.js'
import type { Storage } from '../storage/open-storage.js'
import type { Channel } from './channel.js'
import { serveRates } from './remote-rates.js'
import { serveStore } from './served-store.js'
import type { BusExchange } from './shared-bus.js'
import { serveLeases } from './shared-coordination.js'
import type { RemovalGate } from './shared-files.js'

export interface SharedPorts {
  readonly storage: Pick<Storage, 'store' | 'leases'>
  readonly rates: Rates
  readonly bus: BusExchange
  readonly removals: RemovalGate
}

/** Returns a function that releases everything the process had, once it is gone. */
export function servePorts(channel: Channel, { storage, rates, bus, removals }: SharedPorts): () => void {
  const endWalks = serveStore(channel, storage.store)
  const endLeases = serveLeases(channel, storage.leases)
  serveRates(channel, rates)
  const leave = [bus.add(channel), removals.add(channel)]
  return () => {
    for (const step of leave) step()
    endLeases()
    void endWalks()
  }
}
