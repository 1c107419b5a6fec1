// The ownership mark as it is found on objects.
import { marks } from '../graph/resource.js'
import type { Handler, Remote } from '../plugin/handler.js'
import { isObject } from '../value/tree.js'

/** Our mark on an object, with the logical name it says; undefined without one, or with another project's. */
export function markOf(handler: Handler, remote: Remote, projectName: string): { readonly name?: string } | undefined {
  if (handler.mark === undefined) return undefined
  const current = handler.observed(remote)[handler.mark]
  if (!isObject(current) || current[marks.project] !== projectName) return undefined
  const name = current[marks.resource]
  return typeof name === 'string' && name !== '' ? { name } : {}
}
