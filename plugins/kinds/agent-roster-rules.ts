// Rules for how agents work with others: rosters, advisors and what is switched on (agent configuration 2.15).
import type { Finding, Project } from '../../core/plugin/declaration.js'
import type { KindRule } from '../../core/plugin/rule.js'
import { hasPlaceholder } from '../../core/value/placeholder.js'
import type { AgentBody } from './agent-body.js'
import { helperNames, isCoordinator, type Multiagent, membersOf, rostersOf, switchedForm } from './multiagent.js'

export const rosterMembersMax = 20

type AgentRule = KindRule<AgentBody>

const largeRoster: AgentRule = {
  code: 'agent.roster-too-large',
  severity: 'error',
  spec: '7.7',
  summary: 'A roster has too many members',
  fix: 'Split the work between several coordinators.',
  *check({ body: { multiagent } }) {
    for (const { at, members } of rostersOf(multiagent)) {
      if (members.length <= rosterMembersMax) continue
      const detail = `It has ${members.length} members; at most ${rosterMembersMax} are allowed.`
      yield { at, onKey: true, detail }
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
    for (const { at, members } of rostersOf(multiagent)) {
      const seen = new Set<string>()
      for (const [index, member] of members.entries()) {
        const key = typeof member === 'string' ? `name ${member}` : `id ${member.agent_id}`
        if (seen.has(key)) yield { at: [...at, index], detail: 'The member stands in the list already.' }
        seen.add(key)
      }
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
    for (const { at, member } of membersOf(body.multiagent)) {
      const fault = isName(member) ? memberFault(project, name, member) : undefined
      if (fault !== undefined) yield { at, detail: fault }
    }
  },
}

const oneForm: AgentRule = {
  code: 'agent.multiagent-form',
  severity: 'error',
  spec: '2.15',
  summary: 'How an agent works with others has no form, or two',
  fix: 'Write agents for a coordinator; or advisor, subagents and workflows, and no agents beside them.',
  *check({ body: { multiagent } }) {
    if (multiagent) yield* formFaults(multiagent)
  },
}

const switches = ['advisor', ...helperNames] as const

function* formFaults(multiagent: Multiagent): Iterable<Finding> {
  const at = ['multiagent']
  const stated = switches.filter((name) => multiagent[name] !== undefined)
  if (multiagent.agents !== undefined && !isCoordinator(multiagent))
    yield { at: [...at, 'agents'], onKey: true, detail: `${switchedForm} has agents in subagents and workflows alone.` }
  else if (isCoordinator(multiagent)) {
    if (multiagent.agents === undefined)
      yield { at, onKey: true, detail: 'A coordinator has agents, and here are none.' }
    for (const name of stated)
      yield { at: [...at, name], onKey: true, detail: `A coordinator has no ${name}; it has agents alone.` }
  }
}

const usefulSwitch: AgentRule = {
  code: 'agent.multiagent-switch',
  severity: 'error',
  summary: 'What an agent may do with others contradicts itself',
  fix: 'Say what it needs, or switch it off with enabled: false alone.',
  *check({ body: { multiagent } }) {
    for (const name of switches) {
      const { enabled = true, ...rest } = multiagent?.[name] ?? {}
      const [stated] = Object.keys(rest)
      if (!enabled && stated !== undefined)
        yield {
          at: ['multiagent', name, stated],
          onKey: true,
          detail: `${name} is switched off, and needs no ${stated}.`,
        }
    }
    const { advisor } = multiagent ?? {}
    if (advisor && advisor.enabled !== false && advisor.model === undefined)
      yield { at: ['multiagent', 'advisor'], onKey: true, detail: 'An advisor is a model, and none is named.' }
    for (const name of helperNames) {
      const { enabled = true, agents, inline_agents } = multiagent?.[name] ?? {}
      if (enabled && inline_agents === false && agents === undefined)
        yield {
          at: ['multiagent', name, 'inline_agents'],
          detail: `Without agents and without inline agents, ${name} can use nobody.`,
        }
    }
  },
}

export const rosterRules: readonly AgentRule[] = [largeRoster, repeatedMember, rosterShape, oneForm, usefulSwitch]

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
  if (bodyOf(project, member)?.multiagent === undefined) return undefined
  return `"${member}" is a coordinator itself, and members of a roster cannot have one.`
}

/** Returns the names from `from` to `goal` along rosters; undefined if there is no such path. */
function pathBack(project: Project, goal: string, from: string): readonly string[] | undefined {
  const previous = new Map<string, string | undefined>([[from, undefined]])
  const waiting = [from]
  for (let current = waiting.shift(); current !== undefined; current = waiting.shift()) {
    for (const { member: next } of membersOf(bodyOf(project, current)?.multiagent)) {
      if (!isName(next) || (previous.has(next) && next !== goal)) continue
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

/** False for members that are not declared in this project or that contain a variable. */
function isName(member: unknown): member is string {
  return typeof member === 'string' && !hasPlaceholder(member)
}

function bodyOf(project: Project, name: string): AgentBody | undefined {
  return project.find('agent', name)?.body as AgentBody | undefined // The kind says which body it is.
}
