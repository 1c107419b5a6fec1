// Topologies of several agents: a coordinator with a roster, and the form of 2026-10 with advisor, subagents and workflows.
import { type Static, Type } from 'typebox'
import { isEmpty, isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { refuse } from '../../emulator/contract.js'
import type { Store } from '../../emulator/store.js'
import { named } from './objects.js'
import { exact, id, nullable, optional } from './schema.js'

const AgentMember = exact({
  type: Type.Literal('agent'),
  id,
  version: optional(nullable(Type.Integer({ minimum: 1 }))),
})
const Self = exact({ type: Type.Literal('self') })
const Member = Type.Union([id, AgentMember, Self, exact({ type: Type.Literal('advisor'), model: id })])
type Member = Static<typeof Member>

const disabled = exact({ type: Type.Literal('disabled') })
const Switch = Type.Union([exact({ type: Type.Literal('enabled') }), disabled])
const Helpers = Type.Union([
  exact({
    type: Type.Literal('enabled'),
    inline_agents: optional(nullable(Switch)),
    predefined_agents: optional(nullable(Type.Array(Type.Union([id, AgentMember, Self]), { maxItems: 20 }))),
  }),
  disabled,
])
type Helpers = Static<typeof Helpers>

const Coordinator = exact({
  type: Type.Literal('coordinator'),
  agents: Type.Array(Member, { minItems: 1, maxItems: 20 }),
})
const Multiagent = exact({
  type: Type.Literal('multiagent_20261001'),
  advisor: optional(nullable(Type.Union([exact({ type: Type.Literal('enabled'), model: id }), disabled]))),
  subagents: optional(nullable(Helpers)),
  workflows: optional(nullable(Helpers)),
})
export const Topology = Type.Union([Coordinator, Multiagent])
export type Topology = Static<typeof Topology>

/** The owner of a list of members, in which they are looked up: the store, and the agent as it will be. */
export interface Owner {
  readonly store: Store
  readonly self: { readonly id: string; readonly version: number }
}

/** Returns the topology with pinned versions. The newer form is merged with a stored one of its type. */
export function resolvedTopology(owner: Owner, given: Topology, current: Json | undefined): JsonObject {
  if (given.type === 'coordinator') {
    const agents = given.agents.map((member, index) => resolvedMember(owner, member, `multiagent.agents.${index}`))
    return { type: given.type, agents: distinct(agents) }
  }
  const stored = isObject(current) && current['type'] === given.type ? current : {}
  const helpers = (name: 'subagents' | 'workflows') => resolvedHelpers(owner, given[name], stored[name], name)
  return {
    type: given.type,
    advisor: merged(given.advisor as Json | undefined, stored['advisor'], { type: 'disabled' }),
    subagents: helpers('subagents'),
    workflows: helpers('workflows'),
  }
}

/** Absent keeps what is stored, null restores the default. */
const merged = (given: Json | undefined, stored: Json | undefined, usual: Json): Json =>
  given === null ? usual : (given ?? stored ?? usual)

function resolvedHelpers(
  owner: Owner,
  given: Helpers | null | undefined,
  stored: Json | undefined,
  name: string,
): JsonObject {
  if (given?.type === 'disabled') return { type: 'disabled' }
  const before = given === null || !isObject(stored) ? {} : stored
  if (given === undefined && before['type'] === 'disabled') return { type: 'disabled' }
  const { inline_agents, predefined_agents } = given ?? {}
  const agents = predefined_agents?.map((member, index) =>
    resolvedMember(owner, member, `multiagent.${name}.predefined_agents.${index}`),
  )
  const inline = merged(inline_agents as Json | undefined, before['inline_agents'], { type: 'enabled' })
  const list = predefined_agents === null ? null : agents && distinct(agents)
  const predefined = merged(list, before['predefined_agents'], [])
  if (isObject(inline) && inline['type'] === 'disabled' && isEmpty(predefined))
    throw refuse('invalid', `multiagent.${name}: without inline agents, predefined_agents must name an agent`)
  return { type: 'enabled', inline_agents: inline, predefined_agents: predefined }
}

function distinct(members: readonly JsonObject[]): readonly JsonObject[] {
  const ids = members.map(({ id, type }) => id ?? type)
  if (new Set(ids).size < ids.length) throw refuse('invalid', 'multiagent: agents must be distinct')
  return members
}

function resolvedMember({ store, self }: Owner, member: Member, param: string): JsonObject {
  if (typeof member !== 'string' && member.type === 'advisor') return member
  const memberId = typeof member === 'string' ? member : member.type === 'self' ? self.id : member.id
  if (memberId === self.id) return { type: 'agent', ...self }
  const agent = named(store, 'agent', memberId, param)
  if (agent.body['multiagent']) throw refuse('invalid', `${param}: ${memberId} is a coordinator itself`, { param })
  const version = typeof member === 'string' || member.type !== 'agent' ? undefined : member.version
  return { type: 'agent', id: memberId, version: version ?? agent.body['version'] ?? 1 }
}
