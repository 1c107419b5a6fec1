// Writes many rows into a store that nobody else writes to, some at a time.
import { limits } from '../limits.js'
import type { Entry, Store } from '../storage/store.js'

const batchBytes = 1024 * 1024

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
