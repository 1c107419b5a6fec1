// Emulated files: checked after the upload, deleted after a week by a clock that a knob can advance.
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import {
  type Collection,
  type EmulatedRequest,
  type EmulatorContext,
  type Route,
  refuse,
  route,
  seeding,
} from '../../emulator/contract.js'
import { pageOf } from '../../emulator/paging.js'
import type { StoredObject } from '../../emulator/store.js'
import { limitOf, newId, pageQuery, requireObject } from './objects.js'
import { Exact } from './schema.js'

const lifetimeS = 7 * 24 * 3600

/** Media types by extension; other files are bytes. */
const mimeTypes: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  htm: 'text/html',
  html: 'text/html',
  json: 'application/json',
  md: 'text/markdown',
  txt: 'text/plain',
  xml: 'text/xml',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  mp4: 'video/mp4',
}

const Upload = Exact({
  purpose: Type.Enum(['agent', 'user_data']),
  expire_at: Type.Optional(Type.String({ pattern: '^[0-9]+$' })),
})

const Seed = Exact({
  filename: Type.String({ minLength: 1 }),
  content: Type.String(),
  purpose: Upload.properties.purpose,
})

const List = Exact({
  limit: pageQuery.limit,
  after: Type.Optional(Type.String()),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
  purpose: Type.Optional(Type.Enum(['agent', 'user_data'])),
  scope_id: Type.Optional(Type.String()),
})

export const files: Collection = {
  kind: 'file',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['filename']),
  seeding: seeding({
    schema: Seed,
    defaults: { filename: 'seeded.txt', content: 'Seeded.', purpose: 'agent' },
    create: (context, { filename, content, purpose }, id) =>
      insert(context, { filename, purpose, bytes: Buffer.from(content) }, id),
  }),
}

export const fileRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/files',
    isForm: true,
    body: Upload,
    handle: (request) => ({ body: upload(request).body }),
  }),
  route({
    method: 'GET',
    path: '/files',
    query: List,
    handle(request) {
      sweep(request)
      return { body: listFiles(request, request.query) }
    },
  }),
  route({
    method: 'GET',
    path: '/files/:id',
    handle(request) {
      sweep(request)
      return { body: advanceCheck(request, requireObject(request, 'files', request.params['id'])).body }
    },
  }),
  route({
    method: 'DELETE',
    path: '/files/:id',
    handle(request) {
      sweep(request)
      const current = requireObject(request, 'files', request.params['id'])
      request.store.remove(current)
      return { body: { object: 'file', id: current.id, deleted: true } }
    },
  }),
]

function upload(request: EmulatedRequest<Static<typeof Upload>>): StoredObject {
  const [file, ...more] = request.files
  if (file?.field !== 'file' || more.length > 0)
    throw refuse('invalid', 'file: one file is required', { param: 'file' })
  const { purpose, expire_at } = request.body
  return insert(request, { ...file, purpose, expireAtS: expire_at === undefined ? undefined : Number(expire_at) })
}

interface NewFile {
  readonly filename: string
  readonly purpose: 'agent' | 'user_data'
  readonly bytes: Uint8Array
  readonly expireAtS?: number | undefined
}

function insert(context: EmulatorContext, file: NewFile, wantedId?: string): StoredObject {
  const { filename, purpose, bytes } = file
  const mimeType = mimeTypes[filename.split('.').at(-1)?.toLowerCase() ?? ''] ?? 'application/octet-stream'
  if (purpose === 'user_data' && mimeType.startsWith('text/'))
    throw refuse('invalid', 'purpose user_data takes no text files', { param: 'purpose' })
  const nowS = secondsNow(context)
  const expireAtS = file.expireAtS ?? nowS + lifetimeS
  if (expireAtS <= nowS) throw refuse('invalid', 'expire_at: must lie ahead', { param: 'expire_at' })
  const id = wantedId ?? newId(context, 'file')
  const readsLeft = context.knobs.scans.reads
  return context.store.insert({
    id,
    collection: 'files',
    createdAtMs: context.nowMs,
    body: {
      object: 'file',
      id,
      purpose,
      filename,
      bytes: bytes.length,
      mime_type: mimeType,
      created_at: nowS,
      expire_at: expireAtS,
      ...verdict(context, readsLeft),
    },
    hidden: { content: Buffer.from(bytes).toString('base64'), readsLeft },
  })
}

/** Advances the check of a file with every read. */
function advanceCheck(context: EmulatorContext, file: StoredObject): StoredObject {
  if (file.body['status'] !== 'processing') return file
  const readsLeft = Number(file.hidden['readsLeft']) - 1
  return context.store.put({
    ...file,
    body: { ...file.body, ...verdict(context, readsLeft) },
    hidden: { ...file.hidden, readsLeft },
  })
}

function verdict({ knobs }: EmulatorContext, readsLeft: number): JsonObject {
  if (readsLeft > 0) return { status: 'processing' }
  if (knobs.scans.outcome === 'clean') return { status: 'active' }
  return { status: 'failed', error: { code: 'ContentRefused', message: 'the content of the file was refused' } }
}

function listFiles(context: EmulatorContext, query: Static<typeof List>): JsonObject {
  const { purpose, scope_id, after, order } = query
  const fitting = [...context.store.all('files')].filter(
    ({ body, hidden }) => (purpose ?? body['purpose']) === body['purpose'] && scope_id === hidden['scope'],
  )
  const page = pageOf(fitting, {
    limit: limitOf(query),
    afterId: after,
    order: order === 'asc' ? 'oldestFirst' : 'newestFirst',
  })
  if (!page) throw refuse('invalid', 'after: no such file', { param: 'after' })
  return {
    object: 'file',
    data: page.rows.map(({ body }) => body),
    first_id: page.firstId,
    last_id: page.lastId,
    has_more: page.hasMore,
  }
}

/** Removes expired files. */
function sweep(context: EmulatorContext): void {
  for (const file of [...context.store.all('files')])
    if (Number(file.body['expire_at']) <= secondsNow(context)) context.store.remove(file)
}

function secondsNow({ nowMs, ownKnobs }: EmulatorContext): number {
  return Math.floor((nowMs + Number(ownKnobs['clockAheadMs'])) / 1000)
}
