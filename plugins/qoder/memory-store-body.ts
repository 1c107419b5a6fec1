// Memory stores in both APIs: what of them is compared (agent configuration 2.8). Names may repeat; the mark tells ours.
import type { Declaration } from '../../core/plugin/declaration.js'
import type { Call, FieldTable, Remote } from '../../core/plugin/handler.js'
import type { Json, Tree } from '../../core/value/tree.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import { type Api, paging, type QoderClient } from './client.js'
import { createdBy, metadataOf, objectOf } from './wire.js'

export const storeFields = {
  description: { clear: '' },
  // Keys that nobody declared belong to whoever wrote them.
  metadata: { owner: 'declared', map: 'patchNull' },
} as const satisfies FieldTable

export function desiredStore({ name, body }: Declaration<MemoryStoreBody>): Tree {
  return { name: body.name ?? name, description: body.description, metadata: body.metadata }
}

/** The forward API says so in the metadata of what it creates. */
export function isForward(store: Remote): boolean {
  return objectOf(store['metadata'])[createdBy] === 'forward'
}

/** Each API lists the stores of the other as well, and the managed one does not tell which the service made for itself. */
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
