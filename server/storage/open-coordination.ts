// Opens what processes coordinate through, leases and bus: within this process, or through the Redis at an address.
import type { Bus } from './bus.js'
import type { Leases } from './leases.js'
import { MemoryBus } from './memory-bus.js'
import { MemoryLeases } from './memory-leases.js'

export interface Coordination {
  readonly leases: Leases
  readonly bus: Bus
}

export async function openCoordination({ address }: { readonly address: string | undefined }): Promise<Coordination> {
  if (address !== undefined) throw new Error('There are no leases on Redis')
  return { leases: new MemoryLeases(), bus: new MemoryBus() }
}
