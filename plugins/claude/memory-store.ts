// Memory stores: context that agents keep between sessions (agent configuration 2.8). Names may repeat, so only an id
// or an ownership mark identifies one.
import { patchBody } from '../../core/plugin/body.js'
import { type FieldTable, handler } from '../../core/plugin/handler.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import { declaredMemoryStore } from '../shared/declared.js'
import { calledName, calls, createdAtMs, idOutput, isArchived } from './answers.js'
import type { ClaudeClient } from './client.js'
import { entries } from './memories.js'

const { read, create, update, remove, list } = calls('/memory_stores')

const fields: FieldTable = { description: { clear: '' }, metadata: { map: 'patchNull' } }

export const memoryStore = handler<ClaudeClient, MemoryStoreBody>({
  kind: 'memory_store',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({ name: body.name ?? name, description: body.description, metadata: body.metadata }),
  observed: ({ name, description, metadata }) => ({ name, description, metadata }),
  outputs: idOutput,
  isGone: isArchived,
  createdAtMs,

  read,
  create: (call, { desired }) => create(call, desired),
  update: (call, request) => update(call, request.id, patchBody(fields, request)),
  remove,
  removal: 'delete',
  list,
  listIsComplete: true,

  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'mark' },
  parts: entries,
  name: calledName,
  declare: ({ remote }, index) => declaredMemoryStore(remote, index),
})
