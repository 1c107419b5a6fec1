// Compared members of memory stores in both APIs (agent configuration 2.8). Names may repeat; the ownership mark
// identifies the project's own stores.
import type { Declaration } from '../../core/plugin/declaration.js'
import type { Call, FieldTable, Remote } from '../../core/plugin/handler.js'
import type { Json, Tree } from '../../core/value/tree.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import { objectOf } from '../shared/wire.js'
import { type Api, paging, type QoderClient } from './client.js'
import { createdBy, metadataOf } from './wire.js'

export const storeFields = {
  description: { clear: '' },
  // Undeclared keys belong to other clients.
  metadata: { owner: 'declared', map: 'patchNull' },
} as const satisfies FieldTable

export function desiredStore({ name, body }: Declaration<MemoryStoreBody>): Tree {
  return { name: body.name ?? name, description: body.description, metadata: body.metadata }
}

/** True for stores of the forward API, which states so in their metadata. */
export function isForward(store: Remote): boolean {
  return objectOf(store['metadata'])[createdBy] === 'forward'
}

/**
 * Yields the stores of one API. Either API also lists the stores of the other one, and the managed API does not show
 * which ones the service created.
 */
export async function* listStores({ client, signal }: Call<QoderClient>, api: Api): AsyncGenerator<Remote> {
  const systemOnes = new Set<Json | undefined>()
  const query = { system_managed: true }
  for await (const { id } of client.forward.list('/memory_stores', { signal, query }, paging)) systemOnes.add(id)
  for await (const store of client[api].list('/memory_stores', { signal }, paging)) {
    if (isForward(store) === (api === 'forward') && !systemOnes.has(store['id'])) yield store
  }
}

export function observedStore(remote: Remote): Tree {
  return { name: remote['name'], description: remote['description'], metadata: metadataOf(remote) }
}
