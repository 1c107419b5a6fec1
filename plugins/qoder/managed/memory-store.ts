// Memory stores that managed agents keep their context in (agent configuration 2.8).

import { patchBody } from '../../../core/plugin/body.js'
import { handler } from '../../../core/plugin/handler.js'
import type { MemoryStoreBody } from '../../kinds/memory-store.js'
import { declaredMemoryStore } from '../../shared/declared.js'
import { idempotent, type QoderClient } from '../client.js'
import { calledName } from '../declared.js'
import { entriesIn } from '../memories.js'
import { desiredStore, listStores, observedStore, storeFields } from '../memory-store-body.js'
import { createdAtMs, idOf, isArchived, item } from '../wire.js'

export const memoryStore = handler<QoderClient, MemoryStoreBody>({
  kind: 'memory_store',
  api: 'managed',
  form: 1,
  fields: storeFields,
  mark: 'metadata',

  desired: desiredStore,
  observed: observedStore,
  outputs: (remote) => ({ id: idOf(remote) }),
  isGone: isArchived,
  createdAtMs,

  read: ({ client, signal }, id) => client.managed.get(item('/memory_stores', id), { signal }),
  create: (call, { desired, nonce }) => call.client.managed.create('/memory_stores', desired, idempotent(call, nonce)),
  update: ({ client, signal }, request) =>
    client.managed.update(item('/memory_stores', request.id), patchBody(storeFields, request), { signal }),
  remove: async ({ client, signal }, id) => void (await client.managed.delete(item('/memory_stores', id), { signal })),
  removal: 'delete',
  list: (call) => listStores(call, 'managed'),
  listIsComplete: true,

  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'mark' },
  name: calledName,
  declare: ({ remote }, index) => declaredMemoryStore(observedStore(remote), index),
  parts: entriesIn('managed'),
})
