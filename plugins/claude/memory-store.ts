// Memory stores: context that agents keep between sessions (agent configuration 2.8). Names may repeat, so only an id
// or an ownership mark identifies one.
import { patchBody } from '../../core/plugin/body.js'
import { type FieldTable, handler } from '../../core/plugin/handler.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import { item } from '../shared/collection.js'
import { declaredMemoryStore } from '../shared/declared.js'
import { calledName, collection } from './answers.js'
import type { ClaudeClient } from './client.js'
import { entries } from './memories.js'

const fields: FieldTable = { description: { clear: '' }, metadata: { map: 'patchNull' } }

export const memoryStore = handler<ClaudeClient, MemoryStoreBody>({
  ...collection('/memory_stores'),
  kind: 'memory_store',
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({ name: body.name ?? name, description: body.description, metadata: body.metadata }),
  observed: ({ name, description, metadata }) => ({ name, description, metadata }),

  update: ({ client, signal }, request) =>
    client.update(item('/memory_stores', request.id), patchBody(fields, request), { signal }),

  lostCreate: { by: 'mark' },
  parts: entries,
  name: calledName,
  declare: ({ remote }, index) => declaredMemoryStore(remote, index),
})
