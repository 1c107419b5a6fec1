// Rules for agents on every provider: models and rosters (agent configuration 2.11, 2.15).
import type { Finding, Project } from '../../core/plugin/declaration.js'
import type { KindRule } from '../../core/plugin/rule.js'
import { hasPlaceholder } from '../../core/value/placeholder.js'
import { agentRepositoryAddress, credentialNear, mcpServerAddress } from './address-rules.js'
import type { AgentBody } from './agent-body.js'
import { agentToolRules } from './agent-tool-rules.js'
import { skillIdIsName } from './skill-reference-rules.js'

export const rosterMembersMax = 20

type AgentRule = KindRule<AgentBody>

const missingModel: AgentRule = {
  code: 'agent.model-missing',
  severity: 'error',
  spec: '2.11',
  summary: 'An agent has no model for a provider it goes to',
  fix: 'Add the provider to model, or name one model for all providers.',
  *check({ body: { model }, providers }) {
    if (typeof model === 'string') return
    const missing = providers.names.filter((name) => !Object.hasOwn(model, name))
    if (missing.length === 0) return
    yield {
      at: ['model'],
      onKey: true,
      detail: `The agent goes to ${missing.join(' and ')} too, and model says nothing about it.`,
    }
  },
}

const largeRoster: AgentRule = {
  code: 'agent.roster-too-large',
  severity: 'error',
  spec: '7.7',
  summary: 'A roster has too many members',
  fix: 'Split the work between several coordinators.',
  *check({ body: { multiagent } }) {
    const size = multiagent?.agents.length ?? 0
    if (size <= rosterMembersMax) return
    yield {
      at: ['multiagent', 'agents'],
      onKey: true,
      detail: `It has ${size} members; at most ${rosterMembersMax} are allowed.`,
    }
  },
}

const repeatedMember: AgentRule = {
  code: 'agent.roster-repeated-member',
  severity: 'error',
  spec: '2.15',
  summary: 'A roster names an agent twice',
  fix: 'Name each member once.',
  *check({ body: { multiagent } }) {
    const seen = new Set<string>()
    for (const [index, member] of (multiagent?.agents ?? []).entries()) {
      const key = typeof member === 'string' ? `name ${member}` : `id ${member.agent_id}`
      if (seen.has(key)) yield { at: ['multiagent', 'agents', index], detail: 'The member stands in the list already.' }
      seen.add(key)
    }
  },
}

const rosterShape: AgentRule = {
  code: 'agent.roster-nested',
  severity: 'error',
  spec: '7.7',
  summary: 'A coordinator coordinates itself or another coordinator',
  fix: 'Take the member out of the roster, or remove its own multiagent.',
  *check({ name, body }, project) {
    for (const [index, member] of membersOf(body).entries()) {
      if (member === undefined) continue
      const at = ['multiagent', 'agents', index]
      const fault = memberFault(project, name, member)
      if (fault !== undefined) yield { at, detail: fault }
    }
  },
}

const sharedId: AgentRule = {
  code: 'agent.remote-id-shared',
  severity: 'error',
  spec: '2.15',
  summary: 'One remote id serves several providers',
  fix: 'Pin the agent to the provider the id belongs to.',
  *check({ body, providers }) {
    if (providers.names.length < 2) return
    const detail = `The id exists on one provider only, and the agent goes to ${providers.names.join(', ')}.`
    for (const at of remoteIdsOf(body)) yield { at, detail }
  },
}

export const agentRules: readonly AgentRule[] = [
  ...agentToolRules,
  missingModel,
  largeRoster,
  repeatedMember,
  rosterShape,
  sharedId,
  skillIdIsName,
  mcpServerAddress,
  credentialNear,
  agentRepositoryAddress,
]

/**
 * Returns the problem of a roster member. A cycle is reported once, for the member whose name comes first, with the
 * whole path.
 */
function memberFault(project: Project, name: string, member: string): string | undefined {
  if (member === name) return 'An agent cannot be a member of its own roster.'
  const cycle = pathBack(project, name, member)
  if (cycle) {
    const isFirst = cycle.every((other) => name <= other)
    return isFirst ? `The rosters form a circle: ${[name, ...cycle].join(' -> ')}.` : undefined
  }
  if (membersOf(bodyOf(project, member)).length === 0) return undefined
  return `"${member}" is a coordinator itself, and members of a roster cannot have one.`
}

/** Returns the names from `from` to `goal` along rosters; undefined if there is no such path. */
function pathBack(project: Project, goal: string, from: string): readonly string[] | undefined {
  const previous = new Map<string, string | undefined>([[from, undefined]])
  const waiting = [from]
  for (let current = waiting.shift(); current !== undefined; current = waiting.shift()) {
    for (const next of membersOf(bodyOf(project, current))) {
      if (next === undefined || (previous.has(next) && next !== goal)) continue
      if (next === goal) return [...pathTo(previous, current), goal]
      previous.set(next, current)
      waiting.push(next)
    }
  }
  return undefined
}

function pathTo(previous: ReadonlyMap<string, string | undefined>, last: string): readonly string[] {
  const names: string[] = []
  for (let name: string | undefined = last; name !== undefined; name = previous.get(name)) names.unshift(name)
  return names
}

/**
 * Returns the names in a roster; undefined for members that are not declared in this project or that contain a
 * variable.
 */
function membersOf(body: AgentBody | undefined): readonly (string | undefined)[] {
  const isName = (member: unknown): member is string => typeof member === 'string' && !hasPlaceholder(member)
  return (body?.multiagent?.agents ?? []).map((member) => (isName(member) ? member : undefined))
}

function bodyOf(project: Project, name: string): AgentBody | undefined {
  return project.find('agent', name)?.body as AgentBody | undefined // The kind says which body it is.
}

function* remoteIdsOf(body: AgentBody): Iterable<Finding['at']> {
  for (const [index, member] of (body.multiagent?.agents ?? []).entries()) {
    if (typeof member !== 'string') yield ['multiagent', 'agents', index, 'agent_id']
  }
  for (const [index, skill] of (body.skills ?? []).entries()) {
    if (typeof skill !== 'string' && skill.type === 'custom') yield ['skills', index, 'skill_id']
  }
}
