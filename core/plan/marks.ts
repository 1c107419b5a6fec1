// The ownership mark as it is found on objects.
import { marks } from '../graph/resource.js'
import type { Handler, Remote } from '../plugin/handler.js'
import { isObject } from '../value/tree.js'

/** Returns the logical name in our mark on an object; undefined without a mark, or with that of another project. */
export function markOf(handler: Handler, remote: Remote, projectName: string): { readonly name?: string } | undefined {
  if (handler.mark === undefined) return undefined
  const current = handler.observed(remote)[handler.mark]
  if (!isObject(current) || current[marks.project] !== projectName) return undefined
  const name = current[marks.resource]
  return typeof name === 'string' && name !== '' ? { name } : {}
}
