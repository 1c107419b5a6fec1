// Memory stores: identified by id only, archived permanently, with metadata that others may add to.
import { patchBody } from '../../core/plugin/body.js'
import { handler } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import { declaredMemoryStore } from '../shared/declared.js'
import { archival, calledName, collection } from './answers.js'
import type { BailianClient } from './client.js'
import { entries } from './memories.js'

const fields = {
  description: { clear: '' },
  metadata: { owner: 'declared', map: 'readMerge' },
} as const

export const memoryStore = handler<BailianClient, MemoryStoreBody>({
  ...collection('/memory_stores'),
  ...archival('/memory_stores'),
  kind: 'memory_store',
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({
    name: body.name ?? name,
    description: body.description,
    metadata: body.metadata,
  }),
  observed: ({ name, description, metadata }) => ({ name, description, metadata }),

  update: ({ client, signal }, request) =>
    client.update(pathTo`/memory_stores/${request.id}`, patchBody(fields, request), { signal }),

  // Names are labels, so only the ownership mark distinguishes stores of the same name.
  lostCreate: { by: 'mark' },
  parts: entries,
  name: calledName,
  declare: ({ remote }, index) => declaredMemoryStore(remote, index),
})
