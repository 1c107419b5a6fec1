// Memory stores of forward agents (agent configuration 2.11). They are the same objects as in the managed API, under
// other rules: creating one needs a key, and metadata is replaced as a whole.

import { patchBody } from '../../../core/plugin/body.js'
import { ApiFailure } from '../../../core/plugin/failure.js'
import { handler } from '../../../core/plugin/handler.js'
import type { MemoryStoreBody } from '../../kinds/memory-store.js'
import { declaredMemoryStore } from '../../shared/declared.js'
import type { QoderClient } from '../client.js'
import { collection } from '../collection.js'
import { calledName } from '../declared.js'
import { entriesIn } from '../memories.js'
import { desiredStore, isForward, listStores, observedStore, storeFields } from '../memory-store-body.js'
import { item } from '../wire.js'

const fields = { ...storeFields, metadata: { ...storeFields.metadata, map: 'readMerge' } } as const

export const memoryStore = handler<QoderClient, MemoryStoreBody>({
  ...collection('forward', '/memory_stores'),
  kind: 'memory_store',
  support: { reason: 'mounted read-only to the default identity' },
  fields,
  mark: 'metadata',

  desired: desiredStore,
  observed: observedStore,

  read: async ({ client, signal }, id) => {
    const store = await client.forward.get(item('/memory_stores', id), { signal })
    if (isForward(store)) return store
    const operation = `GET ${item('/memory_stores', id)}`
    const message = 'the store belongs to the managed API'
    throw new ApiFailure({ class: 'gone', status: 404, message, operation, isAmbiguous: false })
  },
  update: ({ client, signal }, request) =>
    client.forward.update(item('/memory_stores', request.id), patchBody(fields, request), { signal }),
  // Only the managed call removes mounts left by archived templates and deleted identities.
  remove: async ({ client, signal }, id) => void (await client.managed.delete(item('/memory_stores', id), { signal })),
  list: (call) => listStores(call, 'forward'),

  lostCreate: { by: 'mark' },
  name: calledName,
  declare: ({ remote }, index) => declaredMemoryStore(observedStore(remote), index),
  parts: entriesIn('forward'),
})
