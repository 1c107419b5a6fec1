// Emulated memories: one per path, guarded by the digest of their content, with all versions.
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import {
  type Answer,
  type Collection,
  type EmulatorContext,
  type Refusal,
  type Route,
  refuse,
  route,
} from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { iso, listObjects, refuseArchived, requireObject } from './objects.js'
import { Exact, ListQuery, Maybe } from './schema.js'

const base = '/memory_stores/:store'
const conflict = 'memory_path_conflict_error'
const pathBytesMax = 1_024
const contentBytesMax = 102_400

const Path = Type.String({ pattern: '^/.', maxLength: pathBytesMax })
const Create = Exact({ path: Path, content: Type.String() })
const Update = Exact({
  path: Maybe(Path),
  content: Maybe(Type.String()),
  precondition: Maybe(
    Exact({ type: Type.Literal('content_sha256'), content_sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  ),
})
const Query = Exact({
  path_prefix: Maybe(Type.String({ pattern: '^/(.*/)?$' })),
  depth: Maybe(Type.Enum(['0', '1'])),
  view: Maybe(Type.Enum(['basic', 'full'])),
  limit: Maybe(Type.String({ pattern: '^([1-9][0-9]?|100)$' })),
  page: Maybe(Type.String({ minLength: 1 })),
})
const fullViewMax = 20

export const memories: Collection = {
  kind: 'memory',
  isTopLevel: false,
  isPermanent: false,
  name: ({ body }) => String(body['path']),
  touched: (memory, context) => write(context, memory, textOf(memory)),
}

export const memoryVersions: Collection = { kind: 'memory_version', isTopLevel: false, isPermanent: false }

export const memoryRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: `${base}/memories`,
    body: Create,
    handle(request) {
      const store = writable(request, request.params['store'])
      return { body: create(request, store, request.body).body }
    },
  }),
  route({
    method: 'GET',
    path: `${base}/memories`,
    query: Query,
    handle(request) {
      const { id } = requireObject(request, 'memory_stores', request.params['store'])
      return page(request.store.childrenOf('memories', id), request.query)
    },
  }),
  route({
    method: 'GET',
    path: `${base}/memories/:id`,
    handle: (request) => ({ body: memory(request, request.params).body }),
  }),
  route({
    method: 'POST',
    path: `${base}/memories/:id`,
    body: Update,
    handle(request) {
      const store = writable(request, request.params['store'])
      const current = memory(request, request.params)
      const { path, content, precondition } = request.body
      if (precondition && precondition.content_sha256 !== current.body['content_sha256'])
        throw taken('the content is not what the precondition says')
      if (path !== undefined && path !== current.body['path']) refuseTakenPath(request, store, path)
      if (content !== undefined) checkSize(content)
      const moved = path === undefined ? current : { ...current, body: { ...current.body, path } }
      const { content: _content, ...body } = write(request, moved, content ?? textOf(current)).body
      return { body }
    },
  }),
  route({
    method: 'DELETE',
    path: `${base}/memories/:id`,
    handle(request) {
      writable(request, request.params['store'])
      const current = memory(request, request.params)
      request.store.remove(current)
      return { body: { id: current.id, type: 'memory_deleted' } }
    },
  }),
  route({
    method: 'GET',
    path: `${base}/memory_versions`,
    query: ListQuery,
    handle(request) {
      const { id } = requireObject(request, 'memory_stores', request.params['store'])
      return listObjects(request.store.childrenOf('memory_versions', id), request.query)
    },
  }),
  route({
    method: 'GET',
    path: `${base}/memory_versions/:id`,
    handle: (request) => ({ body: child(request, 'memory_versions', request.params).body }),
  }),
  route({
    method: 'POST',
    path: `${base}/memory_versions/:id/redact`,
    handle(request) {
      const version = child(request, 'memory_versions', request.params)
      const body = { ...version.body, content: null, redacted_at: iso(request.nowMs) }
      return { body: request.store.put({ ...version, body }).body }
    },
  }),
]

function writable(context: EmulatorContext, id: string | undefined): StoredObject {
  const store = requireObject(context, 'memory_stores', id)
  refuseArchived(store, conflict)
  return store
}

function memory(context: EmulatorContext, params: Readonly<Record<string, string>>): StoredObject {
  return child(context, 'memories', params)
}

function child(context: EmulatorContext, collection: string, params: Readonly<Record<string, string>>): StoredObject {
  const object = requireObject(context, collection, params['id'])
  if (object.parent !== params['store']) throw refuse('notFound', 'not in this store')
  return object
}

function create(context: EmulatorContext, store: StoredObject, body: Static<typeof Create>): StoredObject {
  const { path, content } = body
  if (Buffer.byteLength(path) > pathBytesMax) throw refuse('invalid', `path: at most ${pathBytesMax} bytes`)
  checkSize(content)
  refuseTakenPath(context, store, path)
  const id = context.store.newId('mem_', 24)
  const now = iso(context.nowMs)
  const facts = { id, type: 'memory', memory_store_id: store.id, path, created_at: now, updated_at: now }
  const object = { id, collection: 'memories', parent: store.id, createdAtMs: context.nowMs, body: facts }
  return write(context, context.store.insert(object), content)
}

function refuseTakenPath({ store }: EmulatorContext, { id }: StoredObject, path: string): void {
  for (const { body } of store.childrenOf('memories', id))
    if (body['path'] === path) throw taken(`${path} exists in this store`)
}

const taken = (message: string): Refusal => refuse('conflict', message, { code: conflict })

function checkSize(content: string): void {
  if (Buffer.byteLength(content) > contentBytesMax) throw refuse('invalid', `content: at most ${contentBytesMax} bytes`)
}

/** Sets the content and stores it as a version, which outlives the memory. */
function write(context: EmulatorContext, memory: StoredObject, content: string): StoredObject {
  const { store, nowMs } = context
  const versionId = store.newId('memver_', 24)
  const facts: JsonObject = {
    content,
    content_sha256: createHash('sha256').update(content).digest('hex'),
    content_size_bytes: Buffer.byteLength(content),
  }
  const { memory_store_id, path } = memory.body
  store.insert({
    id: versionId,
    collection: 'memory_versions',
    createdAtMs: nowMs,
    body: {
      id: versionId,
      type: 'memory_version',
      memory_id: memory.id,
      memory_store_id,
      path,
      ...facts,
      created_at: iso(nowMs),
    },
    ...(memory.parent === undefined ? {} : { parent: memory.parent }),
  })
  const body = { ...memory.body, ...facts, memory_version_id: versionId, updated_at: iso(nowMs) }
  return store.put({ ...memory, body })
}

function textOf({ body }: StoredObject): string {
  return typeof body['content'] === 'string' ? body['content'] : ''
}

/** Lists by path. With `depth=1` only direct children of the prefix, and folders. */
function page(all: Iterable<StoredObject>, query: Static<typeof Query>): Answer {
  const { path_prefix = '/', depth = '0', view = 'basic', limit = '20', page: token } = query
  if (view === 'full' && Number(limit) > fullViewMax) throw refuse('invalid', `limit: at most ${fullViewMax} in full`)
  const below = [...all].filter(({ body }) => String(body['path']).startsWith(path_prefix))
  const rest = (object: StoredObject) => String(object.body['path']).slice(path_prefix.length)
  const folders = depth === '0' ? [] : below.map(rest).filter((path) => path.includes('/'))
  const shown = depth === '0' ? below : below.filter((object) => !rest(object).includes('/'))
  const sorted = shown.sort((a, b) => (String(a.body['path']) < String(b.body['path']) ? -1 : 1))
  const start = token === undefined ? 0 : sorted.findIndex(({ body }) => cursorOf(body) === token) + 1
  if (token !== undefined && start === 0) throw refuse('invalid', 'page: not a page that was handed out')
  const rows = sorted.slice(start, start + Number(limit))
  const last = rows.at(-1)
  return {
    body: {
      data: rows.map(({ body: { content, ...row } }) => (view === 'full' ? { ...row, content } : row)),
      prefixes: [...new Set(folders.map((path) => `${path_prefix}${path.slice(0, path.indexOf('/') + 1)}`))].sort(),
      next_page: last && start + rows.length < sorted.length ? cursorOf(last.body) : null,
    },
  }
}

function cursorOf({ path }: JsonObject): string {
  return Buffer.from(`after ${String(path)}`).toString('base64url')
}
