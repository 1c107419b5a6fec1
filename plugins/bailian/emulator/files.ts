// Emulated files: uploaded, scanned, deleted after 30 days.
import { Type } from 'typebox'
import {
  type Collection,
  type EmulatedRequest,
  type EmulatorContext,
  type Route,
  refuse,
  route,
} from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { mediaType } from '../../shared/media-type.js'
import { iso, listObjects, remove } from './objects.js'
import { newScan, type ScanState, scannedOnce, scanState } from './scans.js'
import { Exact, listQuery, Maybe } from './schema.js'

const sizeBytesMax = 50 * 1024 * 1024
const lifetimeMs = 30 * 24 * 60 * 60 * 1000

const words: Readonly<Record<ScanState, string>> = { pending: 'checking', clean: 'available', refused: 'rejected' }

export const files: Collection = {
  kind: 'file',
  isTopLevel: true,
  isPermanent: false,
  name: ({ body }) => String(body['filename']),
}

export const fileRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/files',
    isForm: true,
    body: Exact({}),
    handle: (request) => ({ body: { ...upload(request).body, requestId: request.requestId } }),
  }),
  route({
    method: 'GET',
    path: '/files',
    query: Exact({ ...listQuery, scope_id: Maybe(Type.String()) }),
    handle(request) {
      const { scope_id, ...query } = request.query
      const current = [...request.store.all('files')].filter((file) => !hasExpired(request, file))
      return listObjects(
        current.filter(({ body }) => scope_id === undefined || body['scope_id'] === scope_id),
        query,
      )
    },
  }),
  route({
    method: 'GET',
    path: '/files/:id',
    handle(request) {
      const { body } = request.store.put(withStatus(scannedOnce(file(request, request.params['id']))))
      return { body }
    },
  }),
  route({
    method: 'GET',
    path: '/files/:id/content',
    handle(request) {
      const { body, hidden } = file(request, request.params['id'])
      if (body['downloadable'] !== true) throw refuse('forbidden', 'uploaded files cannot be downloaded')
      return { bytes: Buffer.from(String(hidden['bytes']), 'base64') }
    },
  }),
  route({
    method: 'DELETE',
    path: '/files/:id',
    handle: (request) => remove(request, file(request, request.params['id'])),
  }),
]

/** Returns a file. Throws if it is missing or expired. */
export function file(context: EmulatorContext, id: string | undefined): StoredObject {
  const object = id === undefined ? undefined : context.store.find('files', id)
  if (!object || hasExpired(context, object)) throw refuse('notFound', `${id}: there is no such file`)
  return object
}

/** Finds a file that sessions and deployments may mount. */
export function availableFile(context: EmulatorContext, id: string): StoredObject {
  const object = file(context, id)
  if (scanState(object) !== 'clean') throw refuse('invalid', `${id}: the file is not available`)
  return object
}

function hasExpired({ nowMs }: EmulatorContext, { createdAtMs }: StoredObject): boolean {
  return nowMs - createdAtMs > lifetimeMs
}

function upload(request: EmulatedRequest): StoredObject {
  const [part, ...others] = request.files
  if (part?.field !== 'file' || others.length > 0) throw refuse('invalid', 'exactly one part named file is expected')
  if (part.bytes.length > sizeBytesMax) throw refuse('tooLarge', `a file has at most ${sizeBytesMax} bytes`)
  const id = request.store.newId('file_', 24)
  const stored = request.store.insert({
    id,
    collection: 'files',
    createdAtMs: request.nowMs,
    body: {
      id,
      type: 'file',
      filename: part.filename,
      mime_type: mediaType(part.filename),
      size_bytes: part.bytes.length,
      downloadable: false,
      created_at: iso(request.nowMs),
    },
    hidden: { bytes: Buffer.from(part.bytes).toString('base64'), scan: newScan(request) },
  })
  return request.store.put(withStatus(stored))
}

function withStatus(object: StoredObject): StoredObject {
  return { ...object, body: { ...object.body, status: words[scanState(object)] } }
}
