// Agents of the managed API (agent configuration 2.11). Updates are guarded by the version read before.

import { patchBody } from '../../../core/plugin/body.js'
import { isFailure } from '../../../core/plugin/failure.js'
import { handler } from '../../../core/plugin/handler.js'
import type { Scope } from '../../../core/plugin/scope.js'
import { keepUndeclared, type Written } from '../../../core/plugin/undeclared.js'
import { isEmpty, type JsonObject, type Tree } from '../../../core/value/tree.js'
import type { AgentBody } from '../../kinds/agent-body.js'
import { objectOf, objectsOf } from '../../shared/wire.js'
import { agentFields, desiredAgent, observedAgent, resolvedMembers, wireAgent } from '../agent-body.js'
import { idempotent, type QoderClient } from '../client.js'
import { collection } from '../collection.js'
import { calledName } from '../declared.js'
import { agentBody, rosterBody } from '../declared-agent.js'
import { agentOf, sessionsOf } from '../sessions-in-use.js'
import { idOf, item, metadataOf } from '../wire.js'

const written = {
  fields: { ...agentFields, metadata: { map: 'patchNull' } },
  wire: wireAgent,
  added: resolvedMembers,
} as const satisfies Written

/** Status with which servers of the newer dialect answer PUT and DELETE: they update by POST, and archive. */
const methodNotAllowed = 405

export const agent = handler<QoderClient, AgentBody>({
  ...collection('managed', '/agents'),
  ...written,
  kind: 'agent',
  // In form 1 tools of MCP servers were switches without a permission.
  form: 2,
  mark: 'metadata',

  desired: ({ name, body }, scope) => ({
    ...desiredAgent(name, body, scope),
    multiagent: desiredRoster(body, scope),
    metadata: body.metadata,
  }),
  /** The server pins the version of each member when the coordinator is saved (agent configuration 2.15 rule 6). */
  follows: ({ body }, scope) => members(body).map((name) => scope.output('agent', name, 'version')),
  observed: (remote) => ({
    ...observedAgent(remote),
    multiagent: observedRoster(objectOf(remote['multiagent'])),
    metadata: metadataOf(remote),
  }),
  outputs: (remote) => ({ id: idOf(remote), version: String(remote['version']) }),

  create: (call, { desired, nonce }) =>
    call.client.managed.create('/agents', wireAgent(desired), idempotent(call, nonce)),
  update: async ({ client, signal }, request) => {
    const { id, remote } = request
    const body = {
      ...patchBody(written.fields, request, written),
      ...savedRoster(keepUndeclared(written, request).body),
      version: remote['version'],
    }
    try {
      return await client.managed.update(item('/agents', id), body, { signal, method: 'PUT' })
    } catch (error) {
      if (!isFailure(error) || error.status !== methodNotAllowed) throw error
      return client.managed.update(item('/agents', id), body, { signal })
    }
  },
  remove: async ({ client, signal }, id) => {
    try {
      await client.managed.delete(item('/agents', id), { signal })
    } catch (error) {
      if (!isFailure(error) || error.status !== methodNotAllowed) throw error
      await client.managed.update(item('/agents', id, 'archive'), {}, { signal })
    }
  },
  blockers: (call, id) => sessionsOf(call, (session) => agentOf(session) === id),

  moves: ['version'],
  lostCreate: { by: 'mark' },
  name: calledName,
  isNamedByKey: true,
  declare: ({ remote }, index): JsonObject | undefined => {
    const tree = agent.observed(remote)
    const body = agentBody(tree, index)
    return body && { ...body, ...rosterBody(tree['multiagent'], index) }
  },
})

function members({ multiagent }: AgentBody): readonly string[] {
  return (multiagent?.agents ?? []).filter((member) => typeof member === 'string')
}

function desiredRoster({ multiagent }: AgentBody, scope: Scope): Tree | undefined {
  if (!multiagent?.agents) return undefined
  const agents = multiagent.agents.map((member) => ({
    type: 'agent',
    id: typeof member === 'string' ? scope.output('agent', member) : member.agent_id,
  }))
  return { type: 'coordinator', agents }
}

function observedRoster(roster: JsonObject): Tree {
  return { type: roster['type'], agents: objectsOf(roster['agents']).map(({ type, id }) => ({ type, id })) }
}

/** Returns the roster for every update of a coordinator: members are pinned again only when the roster is saved. */
function savedRoster({ multiagent }: Tree): JsonObject {
  return isEmpty(multiagent) ? {} : { multiagent }
}
