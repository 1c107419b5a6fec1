// Writes or removes many rows of a store that nobody else writes to, some at a time.
import { limits } from '../limits.js'
import type { Key } from '../storage/keys.js'
import type { Entry, Store } from '../storage/store.js'

const batchBytes = 1024 * 1024

export const everyKey = { from: Uint8Array.of(0), to: Uint8Array.of(0xff) }

/** Writes with bounded memory. `lost` creates the error for a commit whose outcome is not known. */
export async function putRows(target: Store, entries: AsyncIterable<Entry>, lost: () => Error): Promise<void> {
  let put: Entry[] = []
  let bytes = 0
  const write = async () => {
    const outcome = put.length === 0 ? 'committed' : await target.commit({ expect: [], put, delete: [] })
    if (outcome !== 'committed') throw lost()
    put = []
    bytes = 0
  }
  for await (const entry of entries) {
    put.push(entry)
    bytes += entry.key.length + entry.value.length
    if (put.length >= limits.sweepRowsMax || bytes >= batchBytes) await write()
  }
  await write()
}

/** Removes every row. */
export async function removeRows(store: Store): Promise<void> {
  let keys: Key[] = []
  const remove = async () => {
    if (keys.length > 0) await store.commit({ expect: [], put: [], delete: keys })
    keys = []
  }
  for await (const { key } of store.range(everyKey)) {
    keys.push(key)
    if (keys.length >= limits.sweepRowsMax) await remove()
  }
  await remove()
}

export async function hasRows(store: Store): Promise<boolean> {
  for await (const _ of store.range({ ...everyKey, limit: 1 })) return true
  return false
}
