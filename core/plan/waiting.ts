// Objects that cannot exist before some time has passed or somebody has acted. Until then there is nothing to do for
// them.
import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { isFailure } from '../plugin/failure.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import type { Connections } from './connections.js'
import { explainFailure } from './explain.js'

export interface StillToCome {
  readonly waiting: ReadonlySet<Address>
  readonly diagnostics: readonly Diagnostic[]
}

export interface WaitingRequest {
  readonly connections: Connections
  readonly signal: AbortSignal
  mask(text: string): string
}

/** Returns the addresses whose create could not be carried out earlier, and still cannot. */
export async function stillToCome(
  resources: ReadonlyMap<Address, Resource>,
  rows: ReadonlyMap<Address, Row>,
  { connections, signal, mask }: WaitingRequest,
): Promise<StillToCome> {
  const waiting = new Set<Address>()
  const diagnostics: Diagnostic[] = []
  for (const [address, { handler, provider }] of resources) {
    const row = rows.get(address)
    if (!handler.isStillToCome || row?.id !== null || row.operation?.type !== 'cleanup') continue
    try {
      const call = connections.call(provider, signal)
      if (await handler.isStillToCome(call, row.operation.facts)) waiting.add(address)
    } catch (error) {
      // The object named by the facts is gone and will be created again, and so will this one.
      if (!isFailure(error, 'gone')) diagnostics.push(...explainFailure(error, address, mask))
    }
  }
  return { waiting, diagnostics }
}
