// Emulated mounts: memory stores that an identity can read through a template. Explicit mounts are read-only and remain
// until they are deleted. The system removes its own some time after the identity or the template is deleted.

import { Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { identities, memoryStores, mounts, templates } from './names.js'
import { type Context, exact, find, findActive, isArchived, isoTime } from './object.js'

const explicitMax = 10
const path = '/identities/:identity/templates/:template/memory_stores'

export const mountCollection: Collection = { kind: 'mount', isTopLevel: false, isPermanent: false }

export const mountRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path,
    handle(request) {
      const pair = pairOf(request, request.params)
      const data = mountsWhere(request, (mount) => isOf(mount, pair)).map((mount) => shown(request, mount))
      agePending(request)
      return { body: { data, has_more: false } }
    },
  }),
  route({
    method: 'POST',
    path,
    body: Type.Object({ memory_store_id: Type.String({ minLength: 1 }) }, exact),
    handle(request) {
      const pair = pairOf(request, request.params)
      const store = findActive(request, memoryStores, request.body.memory_store_id)
      const current = request.store.find(mounts, mountId(pair, store.id))
      if (current) return { body: shown(request, current) }
      const explicit = mountsWhere(request, (mount) => isOf(mount, pair) && mount['system_managed'] === false)
      if (explicit.length >= explicitMax)
        throw refuse('invalid', `at most ${explicitMax} stores can be mounted`, { param: 'memory_store_id' })
      return { body: shown(request, mount(request, pair, store.id, { access: 'read_only', isSystem: false })) }
    },
  }),
  route({
    method: 'DELETE',
    path: `${path}/:store`,
    handle(request) {
      const pair = pairOf(request, request.params)
      const current = find(request, mounts, mountId(pair, request.params['store'] ?? ''))
      if (current.body['system_managed'] === true) throw refuse('conflict', 'the system store cannot be unmounted')
      request.store.remove(current)
      return { body: { id: request.params['store'] ?? '', type: 'memory_store_binding_deleted', deleted: true } }
    },
  }),
]

export interface Pair {
  readonly identity_id: string
  readonly template_id: string
}

export function mount(
  { store, nowMs }: Context,
  pair: Pair,
  storeId: string,
  { access, isSystem }: { readonly access: 'read_only' | 'read_write'; readonly isSystem: boolean },
): StoredObject {
  return store.insert({
    id: mountId(pair, storeId),
    collection: mounts,
    body: { memory_store_id: storeId, ...pair, access, system_managed: isSystem, created_at: isoTime(nowMs) },
    createdAtMs: nowMs,
  })
}

export function mountsWhere({ store }: Context, isMeant: (mount: JsonObject) => boolean): readonly StoredObject[] {
  return [...store.all(mounts)].filter(({ body }) => isMeant(body))
}

/**
 * Schedules the removal of the system's mounts of an identity and template of which one is gone; it happens some
 * requests later.
 */
export function dropSystemMounts(context: Context, isMeant: (mount: JsonObject) => boolean): void {
  const requests = Number(context.ownKnobs['unmountAfter'] ?? 0)
  for (const current of mountsWhere(context, (body) => body['system_managed'] === true && isMeant(body))) {
    if (requests === 0) context.store.remove(current)
    else if (current.hidden['requestsLeft'] === undefined)
      context.store.put({ ...current, hidden: { requestsLeft: requests } })
  }
}

/** Counts a request toward pending unmounts. Call it once per request that reads stores or mounts, after its answer. */
export function agePending(context: Context): void {
  dropSystemMounts(context, (mount) => isStale(context, mount)) // Removed outside the API, by `/_emulator/objects`.
  for (const current of context.store.all(mounts)) {
    const { requestsLeft } = current.hidden
    if (typeof requestsLeft !== 'number') continue
    if (requestsLeft <= 1) context.store.remove(current)
    else context.store.put({ ...current, hidden: { requestsLeft: requestsLeft - 1 } })
  }
}

/** True for a mount whose identity or template no longer exists. */
export function isStale(context: Context, { identity_id, template_id }: JsonObject): boolean {
  const template = context.store.find(templates, String(template_id))
  return !context.store.find(identities, String(identity_id)) || !template || isArchived(template)
}

function pairOf(context: Context, params: Readonly<Record<string, string>>): Pair {
  const identity = find(context, identities, params['identity'])
  const template = find(context, templates, params['template'])
  return { identity_id: identity.id, template_id: template.id }
}

function isOf(mount: JsonObject, pair: Pair): boolean {
  return mount['identity_id'] === pair.identity_id && mount['template_id'] === pair.template_id
}

function mountId({ identity_id, template_id }: Pair, storeId: string): string {
  return `${identity_id}/${template_id}/${storeId}`
}

function shown(context: Context, { body }: StoredObject): JsonObject {
  const store = context.store.find(memoryStores, String(body['memory_store_id']))?.body ?? {}
  return { ...body, name: store['name'] ?? '', status: store['status'] ?? '', entry_count: store['entry_count'] ?? 0 }
}
