// Memory stores: context that agents keep between sessions. Names may repeat, so only an id or an ownership mark
// identifies one.
import { patchBody } from '../../core/plugin/body.js'
import { handler } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import { declaredMemoryStore } from '../shared/declared.js'
import { calledName, collection } from './answers.js'
import type { ArkClient } from './client.js'
import { entries } from './memories.js'
import { patch } from './patch.js'

const fields = { description: { clear: '' }, metadata: { map: 'patchNull' } } as const

export const memoryStore = handler<ArkClient, MemoryStoreBody>({
  ...collection('/memory_stores'),
  kind: 'memory_store',
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({
    name: body.name ?? name,
    description: body.description,
    metadata: body.metadata,
  }),
  // Counters change whenever an agent writes, which is not a drift.
  observed: ({ name, description, metadata }) => ({ name, description, metadata }),

  update: (call, request) => patch(call, pathTo`/memory_stores/${request.id}`, patchBody(fields, request)),

  lostCreate: { by: 'mark' },
  parts: entries,
  name: calledName,
  declare: ({ remote }, index) => declaredMemoryStore(remote, index),
})
