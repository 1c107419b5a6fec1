// Deployments whose files are in the storage, as empty objects `deployments/<id>`.
import type { RecordedDeployment, RecordedDeployments } from '../blobs.js'
import { isUuid } from '../uuid.js'
import type { Objects } from './objects.js'

const prefix = 'deployments/'

export function recordedDeployments(objects: Objects): RecordedDeployments {
  return {
    async list() {
      const found: RecordedDeployment[] = []
      for await (const { key, writtenAtMs } of objects.list(prefix)) {
        const id = key.slice(prefix.length)
        if (isUuid(id)) found.push({ id, recordedAtMs: writtenAtMs })
      }
      // Keys are listed in their order, which decides between equal times.
      return found.sort((a, b) => a.recordedAtMs - b.recordedAtMs)
    },
    add: (id) => objects.put(prefix + id, Buffer.alloc(0)),
    remove: (id) => objects.remove(prefix + id),
  }
}
