// Emulated history of a memory store; the text of a version can be redacted.
import type { Collection, Route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { list, requireObject, timeText } from './objects.js'
import { call, listed, optional, query, text } from './schema.js'

const responseBody = ({ body, hidden }: StoredObject) => ({ ...body, content: hidden['content'] ?? null })

export const memoryVersionRoutes: readonly Route[] = [
  call({
    method: 'GET',
    path: '/memory_stores/:id/memory_versions',
    query: query({ ...listed, memory_id: optional(text()) }),
    handle({ store, params, query }) {
      const memoryStore = requireObject(store, 'memory_store', params['id'])
      const versions = [...store.childrenOf('memory_version', memoryStore.id)].filter(
        ({ body }) => query.memory_id === undefined || body['memory_id'] === query.memory_id,
      )
      return list(versions, query)
    },
  }),
  call({
    method: 'GET',
    path: '/memory_stores/:id/memory_versions/:vid',
    handle: ({ store, params }) => ({
      body: responseBody(requireObject(store, 'memory_version', params['vid'], params['id'])),
    }),
  }),
  call({
    method: 'POST',
    path: '/memory_stores/:id/memory_versions/:vid/redact',
    handle({ store, params, nowMs }) {
      const version = requireObject(store, 'memory_version', params['vid'], params['id'])
      const body = { ...version.body, redacted_at: timeText(nowMs) }
      return { body: responseBody(store.put({ ...version, body, hidden: {} })) }
    },
  }),
]

export const memoryVersionCollection: Collection = { kind: 'memory_version', isTopLevel: false, isPermanent: true }
