// Memory stores: context that agents keep between sessions. Names may repeat, so only an id or an ownership mark
// identifies one.
import { patchBody } from '../../core/plugin/body.js'
import { type Call, handler } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import { declaredMemoryStore } from '../shared/declared.js'
import { calledName, createdAtMs, idOutput } from './answers.js'
import type { ArkClient } from './client.js'
import { entries } from './memories.js'
import { patch } from './patch.js'

const fields = { description: { clear: '' }, metadata: { map: 'patchNull' } } as const

export const memoryStore = handler<ArkClient, MemoryStoreBody>({
  kind: 'memory_store',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({
    name: body.name ?? name,
    description: body.description,
    metadata: body.metadata,
  }),
  // Counters change whenever an agent writes, which is no drift.
  observed: ({ name, description, metadata }) => ({ name, description, metadata }),
  outputs: idOutput,
  createdAtMs,

  read: ({ client, signal }, id) => client.get(pathTo`/memory_stores/${id}`, { signal }),
  create: ({ client, signal }, { desired }) => client.create('/memory_stores', desired, { signal }),
  update: (call, request) => patch(call, pathTo`/memory_stores/${request.id}`, patchBody(fields, request)),
  remove: async ({ client, signal }, id) => void (await client.delete(pathTo`/memory_stores/${id}`, { signal })),
  removal: 'delete',
  list: ({ client, signal }: Call<ArkClient>) => client.list('/memory_stores', { signal }),
  listIsComplete: true,

  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'mark' },
  parts: entries,
  name: calledName,
  declare: ({ remote }, index) => declaredMemoryStore(remote, index),
})
