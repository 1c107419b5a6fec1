// Mount paths of files in sessions and runs of deployments (agent configuration 2.14).
import type { JsonObject } from '../../core/value/tree.js'
import { mountPath } from '../shared/mount-path.js'
import type { SessionResource } from '../shared/session-parts.js'

export const mountRoot = '/mnt'

/** Returns the mount of a file; empty for other resources. */
export function wireFile(resource: SessionResource): readonly JsonObject[] {
  if (resource.type !== 'file') return []
  const { type, id, mountPath: path = '' } = resource
  return [{ type, file_id: id, mount_path: mountPath(mountRoot, path) }]
}
