// Emulated memories: texts by path within a store, with a history of their own.
import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatedRequest, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata } from './metadata.js'
import { type Api, memories, memoryStores } from './names.js'
import { type Context, change, exact, find, findActive, make, newId } from './object.js'

const versions = 'memory_versions'
const contentBytesMax = 100 * 1024

const Create = Type.Object(
  { path: Type.String({ minLength: 1 }), content: Type.String(), metadata: Type.Optional(Metadata) },
  exact,
)
const Update = Type.Object(
  {
    content: Type.Optional(Type.String()),
    metadata: Type.Optional(MetadataPatch),
    /** SHA-256 of the content that the caller expects. */
    content_sha256: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  },
  exact,
)

export const memoryCollection: Collection = { kind: 'memory', isTopLevel: false, isPermanent: false }
export const memoryVersionCollection: Collection = { kind: 'memory_version', isTopLevel: false, isPermanent: false }

export function memoryRoutes(api: Api): readonly Route[] {
  const cursors = api === 'managed' ? 'both' : 'id'
  const oldFilter = api === 'managed' ? { prefix: Type.Optional(Type.String()) } : {}
  return [
    route({
      method: 'POST',
      path: '/memory_stores/:id/memories',
      body: Create,
      handle: once(`${api} memories`, (request) => {
        const store = findActive(request, memoryStores, request.params['id'])
        return { status: 201, body: makeMemory(api, request, store, request.body).body }
      }),
    }),
    route({
      method: 'GET',
      path: '/memory_stores/:id/memories',
      query: listQuery(cursors, {
        path_prefix: Type.Optional(Type.String()),
        view: Type.Optional(Type.Enum(['basic', 'full'])),
        ...oldFilter,
      }),
      handle(request) {
        const store = find(request, memoryStores, request.params['id'])
        const query: Readonly<Record<string, unknown>> = request.query
        const prefix = String(query['path_prefix'] ?? query['prefix'] ?? '')
        const found = [...request.store.childrenOf(memories, store.id)]
        const isMeant = ({ body }: StoredObject) => String(body['path']).startsWith(prefix)
        const show = ({ body }: StoredObject) => (query['view'] === 'full' ? body : { ...body, content: null })
        return list(found.filter(isMeant), request, { cursors, show })
      },
    }),
    route({
      method: 'GET',
      path: '/memory_stores/:id/memories/:memory',
      handle: (request) => ({ body: findMemory(request).body }),
    }),
    route({
      method: 'POST',
      path: '/memory_stores/:id/memories/:memory',
      body: Update,
      handle: (request) => ({ body: updateMemory(api, request).body }),
    }),
    route({
      method: 'DELETE',
      path: '/memory_stores/:id/memories/:memory',
      handle(request) {
        findActive(request, memoryStores, request.params['id'])
        const current = findMemory(request)
        note(request, current, 'deleted')
        request.store.remove(current)
        count(request, current.parent ?? '')
        return { body: { id: current.id, type: 'memory_deleted', deleted: true } }
      },
    }),
    ...(api === 'managed' ? versionRoutes('/memory_stores/:id/versions', { cursors, unknownIn: 'sdk' }) : []),
    ...versionRoutes('/memory_stores/:id/memory_versions', {
      cursors,
      ...(api === 'managed' ? { unknownIn: 'pages' } : {}),
    }),
  ]
}

interface VersionOptions {
  readonly cursors: 'both' | 'id'
  /** Dialect in which the collection has another name. */
  readonly unknownIn?: string
}

function versionRoutes(path: string, { cursors, unknownIn }: VersionOptions): readonly Route[] {
  return [
    route({
      method: 'GET',
      path,
      query: listQuery(cursors, { memory_id: Type.Optional(Type.String()) }),
      handle(request) {
        if (unknownIn !== undefined && request.ownKnobs['dialect'] === unknownIn)
          throw refuse('notFound', 'no such path')
        const store = find(request, memoryStores, request.params['id'])
        const { memory_id: memory } = request.query
        const found = [...request.store.childrenOf(versions, store.id)]
        const isMeant = ({ body }: StoredObject) => memory === undefined || body['memory_id'] === memory
        return list(found.filter(isMeant), request, { cursors, show: ({ body }) => ({ ...body, content: null }) })
      },
    }),
    route({
      method: 'GET',
      path: `${path}/:version`,
      handle: (request) => ({ body: find(request, versions, request.params['version']).body }),
    }),
    route({
      method: 'POST',
      path: `${path}/:version/redact`,
      handle(request) {
        const current = find(request, versions, request.params['version'])
        return { body: change(request, current, { content: null, is_redacted: true }).body }
      },
    }),
  ]
}

function makeMemory(api: Api, context: Context, store: StoredObject, request: Static<typeof Create>): StoredObject {
  if (api === 'forward' && request.path.startsWith('/'))
    throw refuse('invalid', 'path: must not begin with a slash', { param: 'path' })
  const path = request.path.replace(/^\/+/, '')
  const isTaken = [...context.store.childrenOf(memories, store.id)].some(({ body }) => body['path'] === path)
  if (isTaken) throw refuse('conflict', `a memory at ${path} already exists`, { code: 'memory_path_taken' })
  const made = make(context, {
    collection: memories,
    prefix: 'mem_',
    parent: store.id,
    body: {
      type: 'memory',
      memory_store_id: store.id,
      path,
      ...contentMembers(request.content),
      metadata: checkedMetadata(request.metadata),
    },
  })
  note(context, made, 'created')
  count(context, store.id)
  return made
}

function updateMemory(api: Api, request: EmulatedRequest<Static<typeof Update>>): StoredObject {
  findActive(request, memoryStores, request.params['id'])
  const current = findMemory(request)
  const { content, metadata, content_sha256: expected } = request.body
  if (expected !== undefined && expected !== current.body['content_sha256'])
    throw refuse('conflict', 'content_sha256 is not that of the current content', {
      code: 'memory_precondition_failed',
    })
  const base = api === 'forward' ? {} : current.body['metadata']
  const changed = change(request, current, {
    ...(content === undefined ? {} : contentMembers(content)),
    ...(metadata ? { metadata: patchedMetadata(base, metadata, { deletes: [null] }) } : {}),
  })
  if (content !== undefined) note(request, changed, 'modified')
  count(request, current.parent ?? '')
  return changed
}

function contentMembers(content: string): JsonObject {
  const bytes = Buffer.from(content)
  if (bytes.length > contentBytesMax) throw refuse('invalid', 'content: at most 100 KiB', { param: 'content' })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { content, content_sha256: sha256, content_size_bytes: bytes.length }
}

function note(context: Context, { id, parent = '', body }: StoredObject, operation: string): void {
  const { path, content, content_sha256, content_size_bytes } = body
  make(context, {
    collection: versions,
    prefix: 'memver_',
    id: newId(context, 'memver_'),
    parent,
    body: { type: 'memory_version', memory_id: id, operation, path, content, content_sha256, content_size_bytes },
  })
}

/** Updates the counters of a store, which does not count as a change of the store. */
function count({ store }: Context, storeId: string): void {
  const current = store.find(memoryStores, storeId)
  if (!current) return
  const sizes = [...store.childrenOf(memories, storeId)].map(({ body }) => Number(body['content_size_bytes']))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  store.put({ ...current, body: { ...current.body, entry_count: sizes.length, total_size: total } })
}

function findMemory(request: EmulatedRequest): StoredObject {
  const found = find(request, memories, request.params['memory'])
  if (found.parent !== request.params['id']) throw refuse('notFound', `no memory ${found.id} in this store`)
  return found
}
