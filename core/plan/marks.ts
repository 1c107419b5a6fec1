// Reads the ownership marks of remote objects: of which project they are, and under which name.
import { marks } from '../graph/resource.js'
import type { Handler, Remote } from '../plugin/handler.js'
import { nameOfProject } from '../state/home.js'
import type { Address } from '../value/address.js'
import { isObject, leafPath, type Tree } from '../value/tree.js'
import { isFixedMark } from './compare.js'

export interface Mark {
  readonly project: string
  /** Logical name; absent in a mark that somebody damaged. */
  readonly name?: string
}

/** Returns the mark that an object carries, whichever project it names; undefined if it has none. */
export function markIn(handler: Handler, observed: Tree): Mark | undefined {
  if (handler.mark === undefined) return undefined
  const current = observed[handler.mark]
  const project = isObject(current) ? current[marks.project] : undefined
  if (!isObject(current) || typeof project !== 'string' || project === '') return undefined
  const mark = { project: nameOfProject(project) }
  const name = current[marks.resource]
  return typeof name === 'string' && name !== '' ? { ...mark, name } : mark
}

/** Returns the mark of an object of this project; undefined if it has no mark, or that of another project. */
export function markOf(handler: Handler, remote: Remote, projectName: string): Mark | undefined {
  const mark = handler.mark === undefined ? undefined : markIn(handler, handler.observed(remote))
  return mark?.project === projectName ? mark : undefined
}

/** True if an update can write the mark. A mark that only a create can set stays that of whoever made the object. */
export function canBeMarked(handler: Handler): boolean {
  return handler.mark !== undefined && !isFixedMark(handler, leafPath([handler.mark, marks.project]))
}

/** An object that carries the mark of another project. */
export interface ObjectOfAnother {
  readonly project: string
  /** Address or kind, for messages. */
  readonly what: Address
  readonly id: string
}

/** Maximum number of objects named in a message. */
const namedMax = 5

/** Returns `claude.agent agent_1, claude.agent agent_2 and 3 more`. */
export function namedObjects(objects: readonly Pick<ObjectOfAnother, 'what' | 'id'>[]): string {
  const named = objects.slice(0, namedMax).map(({ what, id }) => `${what} ${id}`)
  const more = objects.length > namedMax ? ` and ${objects.length - namedMax} more` : ''
  return `${named.join(', ')}${more}`
}
