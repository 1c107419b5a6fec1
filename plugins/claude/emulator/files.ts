// Emulated files, which never change. The list has two forms, by beta header.
import { type Static, Type } from 'typebox'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, seeding } from '../../emulator/contract.js'
import { pageOf } from '../../emulator/paging.js'
import type { StoredObject } from '../../emulator/store.js'
import { mediaType } from '../../shared/media-type.js'
import { betasOf } from './errors.js'
import { list, named, requireObject, timeText } from './objects.js'
import { usualRoutes } from './routes.js'
import { call, exact, listed, optional, query, text } from './schema.js'

const limitMax = 1_000
const expiry = { leastSeconds: 3_600, mostSeconds: 7_776_000 } as const

interface NewFile {
  readonly filename: string
  readonly mimeType: string
  readonly bytes: Uint8Array
  readonly expiresInSeconds?: number | undefined
  /** The session that has made it. Only such files can be downloaded. */
  readonly sessionId?: string | undefined
}

function insert(context: EmulatorContext, file: NewFile, id = context.store.newId('file_01')): StoredObject {
  const { store, nowMs } = context
  const { filename, mimeType, bytes, expiresInSeconds, sessionId } = file
  return store.insert({
    id,
    collection: 'file',
    createdAtMs: nowMs,
    body: {
      id,
      type: 'file',
      filename: filename.split('/').at(-1) ?? filename,
      mime_type: mimeType,
      size_bytes: bytes.length,
      downloadable: sessionId !== undefined,
      scope: sessionId === undefined ? null : { type: 'session', id: sessionId },
      expires_at: expiresInSeconds === undefined ? null : timeText(nowMs + expiresInSeconds * 1000),
      created_at: timeText(nowMs),
    },
    hidden: { content: Buffer.from(bytes).toString('base64') },
  })
}

const Seed = exact({
  filename: Type.String({ minLength: 1 }),
  content: optional(text()),
  session_id: optional(text()),
})

function seedOne(
  context: EmulatorContext,
  { filename, content = '', session_id: sessionId }: Static<typeof Seed>,
  id?: string,
): StoredObject {
  if (sessionId !== undefined) named(context.store, 'session', sessionId, 'session_id')
  return insert(context, { filename, mimeType: mediaType(filename), bytes: Buffer.from(content), sessionId }, id)
}

export const fileRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/files', collection: 'file', verbs: ['read', 'delete'] }),
  call({
    method: 'POST',
    path: '/files',
    isForm: true,
    body: exact({ expires_in_seconds: optional(Type.String({ pattern: '^[0-9]+$' })) }),
    handle(request) {
      const [file, ...more] = request.files
      if (file?.field !== 'file' || more.length > 0) throw refuse('invalid', 'file: one file is required')
      const given = request.body.expires_in_seconds
      const expiresInSeconds = given === undefined ? undefined : Number(given)
      if (
        expiresInSeconds !== undefined &&
        (expiresInSeconds < expiry.leastSeconds || expiresInSeconds > expiry.mostSeconds)
      )
        throw refuse('invalid', `expires_in_seconds: from ${expiry.leastSeconds} to ${expiry.mostSeconds}`)
      return { body: insert(request, { ...file, expiresInSeconds }).body }
    },
  }),
  call({
    method: 'GET',
    path: '/files',
    query: query({
      ...listed,
      after_id: optional(text()),
      before_id: optional(text()),
      scope_id: optional(text()),
      ids: optional(text()),
    }),
    handle(request) {
      const { store, query, headers } = request
      const ids = query.ids?.split(',')
      const files = [...store.all('file')].filter(
        ({ id, body }) =>
          (ids === undefined || ids.includes(id)) &&
          (query.scope_id === undefined || sessionOf(body) === query.scope_id),
      )
      if (betasOf(headers).includes('files-api-2025-04-14')) return { body: oldPage(files, query) }
      if (query.after_id !== undefined || query.before_id !== undefined)
        throw refuse('invalid', 'after_id: unknown field', { param: 'after_id' })
      return list(files, query, { limitMax })
    },
  }),
  call({
    method: 'GET',
    path: '/files/:id/content',
    handle({ store, params }) {
      const file = requireObject(store, 'file', params['id'])
      if (file.body['downloadable'] !== true) throw refuse('invalid', 'this file is not downloadable')
      return {
        bytes: Buffer.from(String(file.hidden['content']), 'base64'),
        headers: { 'content-type': String(file.body['mime_type']) },
      }
    },
  }),
]

function sessionOf({ scope }: JsonObject): string | undefined {
  return isObject(scope) ? String(scope['id']) : undefined
}

interface OldQuery {
  readonly limit?: string
  readonly page?: string
  readonly after_id?: string
  readonly before_id?: string
}

function oldPage(files: readonly StoredObject[], { limit, page, after_id, before_id }: OldQuery): JsonObject {
  if (page !== undefined) throw refuse('invalid', 'page: unknown field', { param: 'page' })
  const found = pageOf(files, {
    limit: Math.min(Number(limit ?? 20), limitMax),
    afterId: after_id,
    beforeId: before_id,
  })
  if (!found) throw refuse('invalid', 'after_id: no such file', { param: 'after_id' })
  const { rows, hasMore, firstId, lastId } = found
  return { data: rows.map(({ body }) => body), has_more: hasMore, first_id: firstId, last_id: lastId }
}

export const fileCollection: Collection = {
  kind: 'file',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['filename']),
  seeding: seeding({ schema: Seed, defaults: { filename: 'seeded.txt' }, create: seedOne }),
}
