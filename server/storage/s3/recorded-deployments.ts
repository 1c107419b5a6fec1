// Deployments whose files are in the storage, as empty objects `deployments/<id>`.
import type { RecordedDeployments } from '../blobs.js'
import type { Objects } from './objects.js'

const prefix = 'deployments/'

export function recordedDeployments(objects: Objects): RecordedDeployments {
  return {
    async list() {
      const ids: string[] = []
      for await (const { key } of objects.list(prefix)) ids.push(key.slice(prefix.length))
      return ids
    },
    add: (id) => objects.put(prefix + id, Buffer.alloc(0)),
    remove: (id) => objects.remove(prefix + id),
  }
}
