// Collaboration scopes such as `annotations:update:self`: permissions on annotations by owner. They refine
// `doc.annotate.modify`: if at least one of them names an action, only these scopes decide on it.
import type { CollabAction } from '../../workers/contract/ops/op-contract.js'
import type { Person } from './person.js'

export const collabActions = ['create', 'update', 'delete', 'set-group', '*'] as const

type Filter = 'all' | 'self' | { readonly createdBy: string } | { readonly group: string }

export interface CollabScope {
  readonly entity: 'annotations'
  readonly action: (typeof collabActions)[number]
  readonly filter: Filter
}

/** The stored owner of an annotation; on create, the caller. */
export interface Owner {
  readonly userId: string | null
  readonly groupId: string | null
}

/** Parses a collaboration scope; undefined if the text is none. The value of the filter may contain colons. */
export function parseCollabScope(text: string): CollabScope | undefined {
  const [, entity, word, rest] = /^([^:]*):([^:]*):(.*)$/s.exec(text) ?? []
  const action = collabActions.find((name) => name === word)
  const filter = rest === undefined ? undefined : parseFilter(rest)
  if (entity !== 'annotations' || action === undefined || filter === undefined) return undefined
  if (action === 'set-group' && filter !== 'all' && !(typeof filter === 'object' && 'group' in filter)) return undefined
  return { entity, action, filter }
}

/** Returns the text of a collaboration scope. */
export function collabString({ entity, action, filter }: CollabScope): string {
  if (typeof filter === 'string') return `${entity}:${action}:${filter}`
  return `${entity}:${action}:${'group' in filter ? `group=${filter.group}` : `createdBy=${filter.createdBy}`}`
}

/** Returns whether the scopes allow the action; undefined if none of them names it, so that the capability decides. */
export function decide(
  scopes: readonly CollabScope[],
  action: CollabAction,
  { caller, owner }: { readonly caller: Person; readonly owner: Owner },
): boolean | undefined {
  const relevant = scopes.filter(about(action))
  if (relevant.length === 0) return undefined
  return relevant.some(({ filter }) => matches(filter, caller, owner))
}

/** True if the person may assign an annotation to a group (null = no group), which is a separate right. */
export function maySetGroup(
  { isEverything, collab }: { readonly isEverything: boolean; readonly collab: readonly CollabScope[] },
  group: string | null,
  { groupId }: Person,
): boolean {
  if (isEverything || (group !== null && group === groupId)) return true
  return collab.some(({ action, filter }) => {
    if (action !== 'set-group' && action !== '*') return false
    return filter === 'all' || (typeof filter === 'object' && 'group' in filter && filter.group === group)
  })
}

/** Returns the narrowest scope for an action on the person's own annotations. */
export const ownScope = (action: CollabAction): string => `annotations:${action}:self`

/** True if one of the scopes names the action, so that the scopes decide instead of the capability. */
export const someScopeNames = (scopes: readonly CollabScope[], action: CollabAction): boolean =>
  scopes.some(about(action))

const about =
  (action: CollabAction) =>
  (scope: CollabScope): boolean =>
    scope.action === action || scope.action === '*'

function matches(filter: Filter, caller: Person, owner: Owner): boolean {
  if (filter === 'all') return true
  if (filter === 'self') return caller.userId !== undefined && caller.userId === owner.userId
  if ('createdBy' in filter) return owner.userId === filter.createdBy
  return owner.groupId === filter.group && isMember(caller, filter.group)
}

function isMember(caller: Person, group: string): boolean {
  return caller.groupId === group || (caller.groups ?? []).includes(group)
}

function parseFilter(text: string): Filter | undefined {
  if (text === 'all' || text === 'self') return text
  const [, key, value] = /^(createdBy|group)=(.+)$/s.exec(text) ?? []
  if (value === undefined) return undefined
  return key === 'createdBy' ? { createdBy: value } : { group: value }
}
