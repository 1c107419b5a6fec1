// How an agent works with others, between agents.yaml, the compared tree and the wire: as coordinator with a roster, or
// with an advisor, subagents and workflows. An update is merged with what the agent has, and null restores a default.
import type { FieldTable, LeafChange } from '../../core/plugin/handler.js'
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import type { Scope } from '../../core/plugin/scope.js'
import { isEmpty, isObject, type Json, type JsonObject, leafKeys, type Tree } from '../../core/value/tree.js'
import { helperNames, isCoordinator, type Multiagent, switchedForm } from '../kinds/multiagent.js'
import { declared } from '../shared/declared.js'
import { arrayOf, objectOf } from '../shared/wire.js'

const switches = ['advisor', ...helperNames] as const
const coordinator = 'coordinator'

/** Members that nobody declared stay as they are: they may have been set elsewhere, or be defaults of the service. */
export const multiagentFields: FieldTable = {
  'multiagent/type': { owner: 'declared' },
  'multiagent/agents': { unordered: true },
  'multiagent/advisor': { owner: 'declared' },
  'multiagent/advisor/enabled': { owner: 'declared', usual: false },
  ...Object.fromEntries(
    helperNames.flatMap((name) => [
      [`multiagent/${name}`, { owner: 'declared', usual: true }],
      [`multiagent/${name}/agents`, { owner: 'declared', unordered: true }],
    ]),
  ),
}

/** The server pins versions of members whenever a list is saved. */
export const pinned = [
  'multiagent/agents/*/version',
  ...helperNames.map((name) => `multiagent/${name}/predefined_agents/*/version`),
]

/** Returns all that is stated, so that a member of the other form counts as a difference. */
export function desiredMultiagent(multiagent: Multiagent | undefined, scope: Scope): Tree | undefined {
  if (!multiagent) return undefined
  const { advisor, agents } = multiagent
  const helpers = helperNames.map((name) => {
    const { enabled = true, inline_agents, agents } = multiagent[name] ?? {}
    return [name, multiagent[name] && { enabled, inline_agents, agents: idsOf(agents, scope) }]
  })
  return {
    type: isCoordinator(multiagent) ? coordinator : switchedForm,
    agents: idsOf(agents, scope),
    advisor: advisor && { enabled: advisor.enabled ?? true, model: advisor.model },
    ...Object.fromEntries(helpers),
  }
}

/** Returns the ids of the members only: their versions are never declared. */
function idsOf(members: Multiagent['agents'], scope: Scope): readonly string[] {
  return (members ?? []).map((member) => (typeof member === 'string' ? scope.output('agent', member) : member.agent_id))
}

/** Returns the tree. A form that is newer than those cannot be declared; it counts as none and is kept. */
export function observedMultiagent(multiagent: Json | undefined): Tree | undefined {
  const { type, agents, ...others } = objectOf(multiagent)
  if (type === coordinator && Array.isArray(agents)) return { type, agents: agents.map(observedMember) }
  if (type !== switchedForm) return undefined
  const helpers = helperNames.map((name) => {
    const { inline_agents, predefined_agents } = objectOf(others[name])
    const found = arrayOf(predefined_agents).map(observedMember)
    return [name, { enabled: isOn(others[name]), inline_agents: isOn(inline_agents), agents: found }]
  })
  const { advisor } = others
  const model = isOn(advisor) ? objectOf(advisor)['model'] : undefined
  return { type, advisor: { enabled: isOn(advisor), model }, ...Object.fromEntries(helpers) }
}

function observedMember(member: Json): Json {
  return isObject(member) && member['type'] === 'agent' ? String(member['id']) : member
}

function isOn(value: Json | undefined): boolean | undefined {
  const { type } = objectOf(value)
  return type === 'enabled' ? true : type === 'disabled' ? false : undefined
}

/** Returns the member of a request, with what the agent has and the tree does not state; null for none. */
export function wireMultiagent(tree: Json | undefined, current: Json | undefined): Json {
  const has = objectOf(current)['type'] === switchedForm ? objectOf(current) : undefined
  if (isEmpty(tree)) return has ?? null
  const { type, agents, ...wanted } = objectOf(tree)
  if (type === coordinator) return { type, agents: arrayOf(agents).map(wireMember) }
  const stated = switches.flatMap((name) => {
    const value = isEmpty(wanted[name]) ? has?.[name] : wireSwitch(objectOf(wanted[name]), objectOf(has?.[name]))
    return value === undefined ? [] : [[name, value]]
  })
  return { type: switchedForm, ...Object.fromEntries(stated) }
}

function wireSwitch({ enabled, model, inline_agents, agents }: JsonObject, current: JsonObject): JsonObject {
  if (enabled === false) return { type: 'disabled' }
  const { inline_agents: inline, predefined_agents } = current
  const list = isEmpty(agents) ? predefined_agents : arrayOf(agents).map(wireMember)
  const able = inline_agents === undefined ? inline : { type: inline_agents ? 'enabled' : 'disabled' }
  return {
    type: 'enabled',
    ...(model === undefined ? {} : { model }),
    ...(able === undefined ? {} : { inline_agents: able }),
    ...(list === undefined ? {} : { predefined_agents: list }),
  }
}

/** Returns the member in the form in which the server returns it. */
function wireMember(member: Json): Json {
  return typeof member === 'string' ? { type: 'agent', id: member } : member
}

/** Wire names of what can be cleared in a switch by itself. */
const clearable = new Map([
  ['inline_agents', 'inline_agents'],
  ['agents', 'predefined_agents'],
])

/** Returns the member with null in place of all that is no longer declared, which restores the defaults. */
export function clearedMultiagent(sent: Json | undefined, changes: readonly LeafChange[]): Json | undefined {
  const cleared = changes
    .filter(({ path, after }) => path.startsWith('multiagent/') && isEmpty(after))
    .map(({ path }) => leafKeys(path).slice(1))
  if (cleared.some(([name]) => name === 'type')) return null
  if (objectOf(sent)['type'] !== switchedForm) return sent
  let next = objectOf(sent)
  for (const [name = '', leaf = ''] of cleared) {
    const member = clearable.get(leaf)
    if (leaf === 'enabled') next = { ...next, [name]: null }
    else if (member !== undefined && isOn(next[name]))
      next = { ...next, [name]: { ...objectOf(next[name]), [member]: null } }
  }
  return next
}

/**
 * Returns the declaration of switches: lists, and what differs from the defaults of the service or stands in the file.
 * Empty for a coordinator and for none.
 */
export function declaredMultiagent(tree: Json | undefined, index: RemoteIndex): { readonly multiagent?: JsonObject } {
  const { type, advisor, ...helpers } = objectOf(tree)
  if (type !== switchedForm) return {}
  const isWritten = (...at: readonly string[]) => index.isWritten(['multiagent', ...at])
  const { enabled: isAdvised, model } = objectOf(advisor)
  const stated = helperNames.map((name) => {
    const { enabled, inline_agents, agents } = objectOf(helpers[name])
    if (enabled === false) return [name, { enabled }]
    const members = arrayOf(agents).map((id): Json => index.name('agent', String(id)) ?? { agent_id: String(id) })
    const body = {
      ...(isWritten(name, 'enabled') ? { enabled: true } : {}),
      ...(members.length > 0 ? { agents: members } : {}),
      ...(inline_agents === false || isWritten(name, 'inline_agents') ? { inline_agents } : {}),
    }
    return [name, isEmpty(body) && isWritten(name) ? { enabled: true } : body]
  })
  const ofAdvisor = isAdvised ? { model } : isWritten('advisor') ? { enabled: false } : {}
  const body = declared({ advisor: ofAdvisor, ...Object.fromEntries(stated) })
  return { multiagent: isEmpty(body) || isWritten('type') ? { type, ...body } : body }
}

/** True if the agent is a member of one of its lists, which no declaration can say. */
export function namesItself(tree: Json | undefined, id: Json | undefined): boolean {
  const { agents, ...others } = objectOf(tree)
  return [agents, ...helperNames.map((name) => objectOf(others[name])['agents'])].flatMap(arrayOf).includes(id ?? null)
}
