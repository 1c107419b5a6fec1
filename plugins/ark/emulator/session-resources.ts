// Mounts of emulated sessions: files anywhere below the root, memory stores at creation only.
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { type EmulatorContext, type Refusal, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { iso, newId, requireObject, withChanges } from './objects.js'
import { presentMembers } from './schema.js'
import { AddedResource, type Resource } from './session-schema.js'

/** Root folder of all mounts. */
const mountRoot = '/mnt'

const filesMax = 100
const memoryStoresMax = 10
const uploads = `${mountRoot}/session/uploads`

export const sessionResourceRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/sessions/:id/resources',
    body: AddedResource,
    handle(request) {
      const session = requireObject(request, 'sessions', request.params['id'])
      const [added] = mounted(request, [request.body])
      const resources = [...resourcesOf(session), ...(added ? [added] : [])]
      checkCounts(resources)
      request.store.put(withChanges(session, request, { resources }))
      return { body: added ?? {} }
    },
  }),
  route({
    method: 'GET',
    path: '/sessions/:id/resources',
    handle: (request) => ({ body: { data: resourcesOf(requireObject(request, 'sessions', request.params['id'])) } }),
  }),
  route({
    method: 'DELETE',
    path: '/sessions/:id/resources/:resource',
    handle(request) {
      const session = requireObject(request, 'sessions', request.params['id'])
      const { resource } = request.params
      const remaining = resourcesOf(session).filter(({ id }) => id !== resource)
      if (remaining.length === resourcesOf(session).length) throw refuse('notFound', 'the session has no such resource')
      request.store.put(withChanges(session, request, { resources: remaining }))
      return { body: { id: resource, type: 'session_resource_deleted' } }
    },
  }),
]

export function resourcesOf({ body }: StoredObject): readonly JsonObject[] {
  return Array.isArray(body['resources']) ? body['resources'].filter(isObject) : []
}

/** Returns resources with ids, absolute paths and defaults. */
export function mounted(context: EmulatorContext, resources: readonly Resource[]): readonly JsonObject[] {
  return resources.map((resource) => ({
    id: newId(context, 'sres'),
    ...presentMembers(resource),
    ...filled(context, resource),
    created_at: iso(context.nowMs),
  }))
}

export function checkCounts(resources: readonly JsonObject[]): void {
  const countOf = (type: string) => resources.filter((resource) => resource['type'] === type).length
  if (countOf('file') > filesMax) throw invalid(`at most ${filesMax} files`)
  if (countOf('memory_store') > memoryStoresMax) throw invalid(`at most ${memoryStoresMax} memory stores`)
}

function filled({ store }: EmulatorContext, resource: Resource): JsonObject {
  if (resource.type === 'tos') return {}
  if (resource.type === 'memory_store') {
    if (!store.find('memoryStores', resource.memory_store_id))
      throw invalid(`memory store ${resource.memory_store_id} is not found`)
    return { access: resource.access ?? 'read_only' }
  }
  const file = store.find('files', resource.file_id)
  if (!file) throw invalid(`file ${resource.file_id} is not found`)
  if (file.body['status'] !== 'active') throw invalid(`file ${resource.file_id} is not active`)
  return { mount_path: wholePath(resource.mount_path ?? String(file.body['filename'])) }
}

function wholePath(path: string): string {
  if (path.split('/').includes('..')) throw invalid('mount_path must not leave the root')
  if (!path.startsWith('/')) return `${uploads}/${path}`
  if (!path.startsWith(`${mountRoot}/`)) throw invalid(`mount_path must be relative or below ${mountRoot}`)
  return path
}

function invalid(message: string): Refusal {
  return refuse('invalid', `resources: ${message}`, { param: 'resources' })
}
