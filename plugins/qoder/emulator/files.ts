// Emulated files: uploaded once, never changed, downloaded through a signed link.

import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import { isObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatedRequest, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { mediaType } from '../../shared/media-type.js'
import { downloadPath } from './downloads.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata } from './metadata.js'
import { type Api, fileCollections } from './names.js'
import { type Context, exact, find, isoTime, make, touched } from './object.js'

const linkLivesMs = 600_000
const listedAtOnceMax = 1_000

const form = (purpose: Parameters<typeof Type.Optional>[0]) =>
  Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      purpose: Type.Optional(purpose),
      /** Metadata as JSON text. */
      metadata: Type.Optional(Type.String()),
    },
    exact,
  )

const Forms: Readonly<Record<Api, ReturnType<typeof form>>> = {
  managed: form(Type.String({ minLength: 1 })),
  forward: form(Type.Enum(['user_upload', 'session_resource'])),
}

const Seed = Type.Object(
  {
    filename: Type.String({ minLength: 1 }),
    content: Type.Optional(Type.String()),
    purpose: Type.Optional(Type.String()),
    metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  },
  exact,
)

export function fileRoutes(api: Api): readonly Route[] {
  const collection = fileCollections[api]
  return [
    route({
      method: 'POST',
      path: '/files',
      isForm: true,
      body: Forms[api],
      handle: once(`${api} files`, (request) => {
        const [upload, ...more] = request.files
        if (upload?.field !== 'file' || more.length > 0)
          throw refuse('invalid', 'file: exactly one file is required', { param: 'file' })
        const { purpose, metadata, name } = request.body
        const made = makeFile(api, request, {
          filename: name ?? upload.filename.split('/').at(-1) ?? upload.filename,
          bytes: upload.bytes,
          ...(typeof purpose === 'string' ? { purpose } : {}),
          metadata: parsedMetadata(metadata),
        })
        return { status: 201, body: made.body }
      }),
    }),
    route({
      method: 'GET',
      path: '/files',
      query: listQuery('both', { purpose: Type.Optional(Type.String()) }),
      handle(request) {
        const { store, query } = request
        const isMeant = ({ body }: StoredObject) => query.purpose === undefined || body['purpose'] === query.purpose
        const maxLimit = api === 'managed' ? listedAtOnceMax : 100
        return list([...store.all(collection)].filter(isMeant), request, { cursors: 'both', maxLimit })
      },
    }),
    route({
      method: 'GET',
      path: '/files/:id',
      handle: (request) => ({ body: find(request, collection, request.params['id']).body }),
    }),
    route({ method: 'GET', path: '/files/:id/content', handle: (request) => link(collection, request) }),
    route({
      method: 'GET',
      path: `${downloadPath}/:id/:proof`,
      handle(request) {
        const file = find(request, collection, request.params['id'])
        if (request.params['proof'] !== proofOf(file)) throw refuse('forbidden', 'the link is not signed')
        return { bytes: Buffer.from(String(file.hidden['content']), 'base64') }
      },
    }),
    route({
      method: 'DELETE',
      path: '/files/:id',
      handle(request) {
        const current = find(request, collection, request.params['id'])
        request.store.remove(current)
        return api === 'forward' ? { status: 204 } : { body: { id: current.id, type: 'file_deleted', deleted: true } }
      },
    }),
  ]
}

export function fileCollection(api: Api): Collection {
  return {
    kind: 'file',
    api,
    isTopLevel: true,
    isPermanent: false,
    name: ({ body }) => String(body['filename']),
    touched,
    seeding: seeding({
      schema: Seed,
      defaults: { filename: 'seeded.txt', content: 'seeded' },
      create: (context, { content = '', ...body }: Static<typeof Seed>, id) =>
        makeFile(api, context, { ...body, bytes: Buffer.from(content) }, id),
    }),
  }
}

interface NewFile {
  readonly filename: string
  readonly bytes: Uint8Array
  readonly purpose?: string
  readonly metadata?: Readonly<Record<string, string>>
}

function makeFile(api: Api, context: Context, file: NewFile, id?: string): StoredObject {
  return make(context, {
    collection: fileCollections[api],
    prefix: 'file_',
    id,
    body: {
      type: 'file',
      filename: file.filename,
      mime_type: mediaType(file.filename),
      size_bytes: file.bytes.length,
      downloadable: true,
      status: 'processed',
      purpose: file.purpose ?? 'user_upload',
      scope: { type: 'account' },
      metadata: checkedMetadata(file.metadata, { isReserved: api === 'forward' }),
      ...(api === 'forward' ? { identity_id: null } : {}),
    },
    hidden: { content: Buffer.from(file.bytes).toString('base64') },
  })
}

function link(collection: string, request: EmulatedRequest) {
  const file = find(request, collection, request.params['id'])
  const prefix = collection === fileCollections.forward ? '/qoder/api/v1/forward' : '/qoder/api/v1/cloud'
  const url = `http://${request.headers['host']}${prefix}${downloadPath}/${file.id}/${proofOf(file)}`
  return { body: { url, expires_at: isoTime(request.nowMs + linkLivesMs) } }
}

function proofOf({ id, createdAtMs }: StoredObject): string {
  return createHash('sha256').update(`${id} ${createdAtMs}`).digest('hex').slice(0, 32)
}

function parsedMetadata(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined) return {}
  try {
    const values: unknown = JSON.parse(text)
    if (!isObject(values)) throw new TypeError('not an object')
    const entries = Object.entries(values).map(([key, value]) => {
      if (typeof value !== 'string') throw new TypeError('not a string')
      return [key, value] as const
    })
    return Object.fromEntries(entries)
  } catch {
    throw refuse('invalid', 'metadata: must be a JSON object of strings', { param: 'metadata' })
  }
}
