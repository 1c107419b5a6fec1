// Memories of a store. Both APIs share their stores, so actions always use the managed one.
import type { MemoryActions } from '../../core/plugin/actions.js'
import type { ApiClient } from '../../core/plugin/client.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { Call, Parts } from '../../core/plugin/handler.js'
import type { MemoryStoreBody } from '../kinds/memory-store.js'
import { memoryActions, memoryVersions } from '../shared/memory-actions.js'
import { memoryEntries } from '../shared/memory-entries.js'
import { type Api, paging, type QoderClient } from './client.js'

const shared = memoryEntries<ApiClient>({
  listed: { view: 'basic' },
  paging,
  guard: (content_sha256) => ({ content_sha256 }),
  path: (key) => key,
})

export function entriesIn(api: Api): Parts<QoderClient, MemoryStoreBody> {
  return {
    ...shared,
    list: (call, storeId) => shared.list(within(call, api), storeId),
    create: (call, storeId, part) => shared.create(within(call, api), storeId, part),
    update: (call, storeId, part) => shared.update(within(call, api), storeId, part),
    remove: (call, storeId, id) => shared.remove(within(call, api), storeId, id),
  }
}

const actions = memoryActions(shared)
const versions = memoryVersions<ApiClient>(paging)
/** Name of the member that contains the versions, in the older documentation. */
const olderVersions = memoryVersions<ApiClient>(paging, 'versions')

export const memories: MemoryActions<QoderClient> = {
  list: (call, storeId, prefix) => actions.list(within(call, 'managed'), storeId, prefix),
  read: (call, storeId, path) => actions.read(within(call, 'managed'), storeId, path),
  put: (call, storeId, path, content) => actions.put(within(call, 'managed'), storeId, path, content),
  remove: (call, storeId, path) => actions.remove(within(call, 'managed'), storeId, path),
  async *versions(call, storeId, path) {
    const managed = within(call, 'managed')
    try {
      yield* versions(managed, storeId, path)
    } catch (error) {
      if (!isFailure(error, 'gone')) throw error
      yield* olderVersions(managed, storeId, path)
    }
  },
}

function within(call: Call<QoderClient>, api: Api): Call<ApiClient> {
  return { ...call, client: call.client[api] }
}
