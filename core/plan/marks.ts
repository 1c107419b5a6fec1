// Reads the ownership marks of remote objects.
import { marks } from '../graph/resource.js'
import type { Handler, Remote } from '../plugin/handler.js'
import { isObject } from '../value/tree.js'

/** Returns the logical name in an object's mark; undefined if it has no mark, or that of another project. */
export function markOf(handler: Handler, remote: Remote, projectName: string): { readonly name?: string } | undefined {
  if (handler.mark === undefined) return undefined
  const current = handler.observed(remote)[handler.mark]
  if (!isObject(current) || current[marks.project] !== projectName) return undefined
  const name = current[marks.resource]
  return typeof name === 'string' && name !== '' ? { name } : {}
}
