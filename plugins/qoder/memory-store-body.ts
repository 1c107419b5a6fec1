// Memory stores in both APIs: what of them is compared (agent configuration 2.8). Names may repeat; the mark tells ours.
import type { Declaration } from '../../core/declaration/declaration.js'
import type { FieldTable, Remote } from '../../core/plugin/handler.js'
import type { Tree } from '../../core/value/tree.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import { metadataOf } from './wire.js'

export const storeFields = {
  description: { clear: '' },
  // Keys that nobody declared belong to whoever wrote them.
  metadata: { owner: 'declared', map: 'patchNull' },
} as const satisfies FieldTable

export function desiredStore({ name, body }: Declaration<MemoryStoreBody>): Tree {
  return { name: body.name ?? name, description: body.description, metadata: body.metadata }
}

export function observedStore(remote: Remote): Tree {
  return { name: remote['name'], description: remote['description'], metadata: metadataOf(remote) }
}
