// Memory stores of managed agents (agent configuration 2.8).

import { patchBody } from '../../../core/plugin/body.js'
import { handler } from '../../../core/plugin/handler.js'
import type { MemoryStoreBody } from '../../kinds/memory-store.js'
import { declaredMemoryStore } from '../../shared/declared.js'
import type { QoderClient } from '../client.js'
import { collection } from '../collection.js'
import { calledName } from '../declared.js'
import { entriesIn } from '../memories.js'
import { desiredStore, listStores, observedStore, storeFields } from '../memory-store-body.js'
import { item } from '../wire.js'

export const memoryStore = handler<QoderClient, MemoryStoreBody>({
  ...collection('managed', '/memory_stores'),
  kind: 'memory_store',
  fields: storeFields,
  mark: 'metadata',

  desired: desiredStore,
  observed: observedStore,

  update: ({ client, signal }, request) =>
    client.managed.update(item('/memory_stores', request.id), patchBody(storeFields, request), { signal }),
  list: (call) => listStores(call, 'managed'),

  lostCreate: { by: 'mark' },
  name: calledName,
  declare: ({ remote }, index) => declaredMemoryStore(observedStore(remote), index),
  parts: entriesIn('managed'),
})
