// Paths of memories within a store: absolute, normalised, and never both a memory and a folder.
import { refuse } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'

const limits = { bytesMax: 1_024, segmentsMax: 20 } as const

export function checkPath(path: string): void {
  const segments = path.split('/').slice(1)
  const fault = !path.startsWith('/')
    ? 'must start with /'
    : segments.length > limits.segmentsMax
      ? `must have at most ${limits.segmentsMax} segments`
      : segments.some((segment) => segment === '' || segment === '.' || segment === '..')
        ? 'must not have empty, . or .. segments'
        : path !== path.normalize('NFC')
          ? 'must be normalised (NFC)'
          : Buffer.byteLength(path) > limits.bytesMax
            ? `must have at most ${limits.bytesMax} bytes`
            : undefined
  if (fault !== undefined) throw refuse('invalid', `path: ${fault}`, { param: 'path' })
}

/** Refuses a path that equals, contains, or lies below that of another memory. */
export function checkFree(path: string, memories: Iterable<StoredObject>, self?: string): void {
  for (const { id, body } of memories) {
    const other = String(body['path'])
    if (id === self || !(other === path || other.startsWith(`${path}/`) || path.startsWith(`${other}/`))) continue
    throw refuse('conflict', `path: ${path} is in the way of ${other}`, {
      code: 'memory_path_conflict_error',
      details: { conflicting_memory_id: id, conflicting_path: other },
    })
  }
}

/**
 * True if a list contains the path. With `depth` 0 it contains the folder's own entries, with 1 also those one folder
 * deeper.
 */
export function isListed(path: string, prefix: string, depth: number | undefined): boolean {
  if (!path.startsWith(prefix)) return false
  return depth === undefined || path.slice(prefix.length).split('/').length - 1 <= depth
}
