// Emulated memories: texts by path, guarded by their digest; every change creates a version.
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Json, JsonObject } from '../../../core/value/tree.js'
import { type Answer, type Collection, type EmulatedRequest, type Route, refuse } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { checkFree, checkPath, isListed } from './memory-path.js'
import { list, live, removeObject, requireObject, timeText, withChanges } from './objects.js'
import { call, exact, listed, optional, query, text } from './schema.js'

const contentBytesMax = 102_400
const fullPageMax = 20

const content = text()
const View = Type.Enum(['basic', 'full'])
const Precondition = exact({ type: Type.Literal('content_sha256'), content_sha256: text() })
const Create = exact({ path: text(), content })
const Update = exact({ content: optional(content), path: optional(text()), precondition: optional(Precondition) })
const viewed = query({ view: optional(View) })

const digest = (value: string): string => createHash('sha256').update(value).digest('hex')

function checkContent(value: string): void {
  if (Buffer.byteLength(value) > contentBytesMax)
    throw refuse('invalid', `content: must have at most ${contentBytesMax} bytes`, { param: 'content' })
}

function responseBody(memory: StoredObject, view: string | undefined): JsonObject {
  return { ...memory.body, content: view === 'full' ? (memory.hidden['content'] ?? '') : null }
}

function describe(value: string): JsonObject {
  return { content_sha256: digest(value), content_size_bytes: Buffer.byteLength(value) }
}

function keepVersion(request: EmulatedRequest, memory: StoredObject, operation: string): string {
  const { store, nowMs } = request
  const id = store.newId('memver_01')
  const { path, content_sha256, content_size_bytes } = memory.body
  store.insert({
    id,
    collection: 'memory_version',
    parent: memory.parent ?? '',
    createdAtMs: nowMs,
    body: {
      id,
      type: 'memory_version',
      memory_store_id: memory.parent ?? null,
      memory_id: memory.id,
      operation,
      path: path ?? null,
      content_sha256: content_sha256 ?? null,
      content_size_bytes: content_size_bytes ?? null,
      redacted_at: null,
      created_at: timeText(nowMs),
    },
    hidden: { content: memory.hidden['content'] ?? null },
  })
  return id
}

function save(request: EmulatedRequest, memory: StoredObject, operation: string): StoredObject {
  const version = keepVersion(request, memory, operation)
  return request.store.put({ ...memory, body: { ...memory.body, memory_version_id: version } })
}

function update(request: EmulatedRequest<Static<typeof Update>>): StoredObject {
  const { store, params, body } = request
  const memoryStore = live(store, 'memory_store', params['id'])
  const memory = requireObject(store, 'memory', params['mid'], memoryStore.id)
  const path = body.path ?? String(memory.body['path'])
  const value = body.content ?? String(memory.hidden['content'])
  const { content_sha256: sha256, path: currentPath } = memory.body
  if (digest(value) === sha256 && path === currentPath) return memory
  if (body.precondition && body.precondition.content_sha256 !== sha256)
    throw refuse('conflict', `precondition: the content is at ${String(sha256)}`, {
      code: 'memory_precondition_failed_error',
    })
  checkPath(path)
  checkContent(value)
  checkFree(path, store.childrenOf('memory', memoryStore.id), memory.id)
  const next = withChanges(memory, request, { path, ...describe(value) })
  return save(request, { ...next, hidden: { content: value } }, 'modified')
}

function listMemories({ store, params, query }: EmulatedRequest<unknown, Static<typeof ListQuery>>): Answer {
  const { path_prefix: prefix = '/', depth, view } = query
  if (!prefix.startsWith('/') || !prefix.endsWith('/'))
    throw refuse('invalid', 'path_prefix: must start and end with /', { param: 'path_prefix' })
  const memoryStore = requireObject(store, 'memory_store', params['id'])
  const found = [...store.childrenOf('memory', memoryStore.id)].filter(({ body }) =>
    isListed(String(body['path']), prefix, depth === undefined ? undefined : Number(depth)),
  )
  return list(found, query, {
    ...(view === 'full' ? { limitMax: fullPageMax } : {}),
    show: (memory): Json => responseBody(memory, view),
  })
}

const ListQuery = query({
  ...listed,
  path_prefix: optional(text()),
  depth: optional(Type.Enum(['0', '1'])),
  view: optional(View),
})

export const memoryRoutes: readonly Route[] = [
  call({
    method: 'POST',
    path: '/memory_stores/:id/memories',
    body: Create,
    query: viewed,
    handle(request) {
      const { store, params, body, query, nowMs } = request
      const memoryStore = live(store, 'memory_store', params['id'])
      checkPath(body.path)
      checkContent(body.content)
      checkFree(body.path, store.childrenOf('memory', memoryStore.id))
      const id = store.newId('mem_01')
      const now = timeText(nowMs)
      const memory = store.insert({
        id,
        collection: 'memory',
        parent: memoryStore.id,
        createdAtMs: nowMs,
        body: {
          id,
          type: 'memory',
          memory_store_id: memoryStore.id,
          path: body.path,
          ...describe(body.content),
          created_at: now,
          updated_at: now,
        },
        hidden: { content: body.content },
      })
      return { body: responseBody(save(request, memory, 'created'), query.view) }
    },
  }),
  call({ method: 'GET', path: '/memory_stores/:id/memories', query: ListQuery, handle: listMemories }),
  call({
    method: 'GET',
    path: '/memory_stores/:id/memories/:mid',
    query: viewed,
    handle: ({ store, params, query }) => ({
      body: responseBody(requireObject(store, 'memory', params['mid'], params['id']), query.view ?? 'full'),
    }),
  }),
  call({
    method: 'POST',
    path: '/memory_stores/:id/memories/:mid',
    body: Update,
    query: viewed,
    handle: (request) => ({ body: responseBody(update(request), request.query.view) }),
  }),
  call({
    method: 'DELETE',
    path: '/memory_stores/:id/memories/:mid',
    query: query({ expected_content_sha256: optional(text()) }),
    handle(request) {
      const { store, params, query } = request
      const memory = requireObject(store, 'memory', params['mid'], params['id'])
      const { expected_content_sha256: expected } = query
      if (expected !== undefined && expected !== memory.body['content_sha256'])
        throw refuse('conflict', 'the content is another', { code: 'memory_precondition_failed_error' })
      keepVersion(request, memory, 'deleted')
      return removeObject(memory, store, 'memory_deleted')
    },
  }),
]

export const memoryCollection: Collection = {
  kind: 'memory',
  isTopLevel: false,
  isPermanent: false,
  name: ({ body }) => String(body['path']),
  touched: (object, context) => withChanges(object, context, {}),
}
