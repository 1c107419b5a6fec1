// Sessions of an agent: create, send messages, read events, end.

import { AnyObject } from '../../core/plugin/answer.js'
import type { Declaration } from '../../core/plugin/declaration.js'
import type { Query } from '../../core/plugin/path-to.js'
import type { MadeFile, Sessions } from '../../core/plugin/sessions.js'
import type { JsonObject } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { item } from '../shared/collection.js'
import { mountPath } from '../shared/mount-path.js'
import { sessionEvents } from '../shared/session-events.js'
import { refuseOptions } from '../shared/session-options.js'
import { namedFile, sessionParts } from '../shared/session-parts.js'
import { confirmations, sessionSign, sessionStatuses, sessionUsage } from '../shared/session-signs.js'
import { objectOf, textOf } from '../shared/wire.js'
import { desiredBudget, wireBudget } from './budget.js'
import { type ClaudeClient, paging } from './client.js'
import { mountRoot } from './mount-root.js'
import { desiredMounts, wireMounts } from './mounts.js'
import { archiveSession, deleteSession } from './session-end.js'

export const sessions: Sessions<ClaudeClient> = {
  takesBudget: true,
  request(agent, request, scope) {
    refuseOptions('claude', request, {
      identity: 'End users are unknown to Claude.',
      tunnel:
        'Sessions of Claude name no tunnel: MCP servers below the domain of a tunnel are reached through it by their url.',
      variables: 'Sessions of Claude take no environment variables; credentials of a vault can be some.',
    })
    const named = agent as unknown as Declaration<AgentBody> // Sessions are asked for agents alone.
    const { environment, vaults, memoryStores, files, title } = request
    const resources = files.map((file) => namedFile(file, scope))
    const parts = sessionParts(named, { environment, vaults, memoryStores, resources, mountRoot }, scope)
    return {
      agent: scope.output('agent', named.name),
      environment_id: scope.output('environment', parts.environment),
      title,
      vault_ids: parts.vaults.map((vault) => scope.output('vault', vault)),
      resources: wireMounts(desiredMounts(parts.resources, scope)),
      ...wireBudget(desiredBudget(request.budget === undefined ? named.body.budget : { amount: request.budget })),
    }
  },
  create: ({ client, signal }, body) => client.create('/sessions', body, { signal }),
  statuses: sessionStatuses,
  async *list({ client, signal }, { agentId, status } = {}) {
    const query = { agent_id: agentId, 'statuses[]': status }
    // The filters spare pages; services that speak this API without them are filtered here.
    for await (const session of client.list('/sessions', { signal, query }, paging)) {
      const isOfAgent = agentId === undefined || objectOf(session['agent'])['id'] === agentId
      if (isOfAgent && (status === undefined || session['status'] === status)) yield session
    }
  },
  read: ({ client, signal }, id) => client.get(item('/sessions', id), { signal }),
  send: ({ client, signal }, id, text) => {
    const events = [{ type: 'user.message', content: [{ type: 'text', text }] }]
    return client.create(`${item('/sessions', id)}/events`, { events }, { signal, answer: AnyObject })
  },
  attach: ({ client, signal }, id, { id: file_id, name }) => {
    const body = { type: 'file', file_id, mount_path: mountPath(mountRoot, name) }
    return client.create(`${item('/sessions', id)}/resources`, body, { signal })
  },
  async *files({ client, signal }, id) {
    // Copies of mounted files are in the list too. Only what the session has made can be downloaded.
    for await (const file of client.list('/files', { signal, query: { scope_id: id } }, paging))
      if (file['downloadable'] === true) yield madeFile(file)
  },
  download: ({ client, signal }, { id }) => client.download(`${item('/files', id)}/content`, '', { signal }),
  confirm: ({ client, signal }, id, answers) => {
    const events = [...confirmations(answers)]
    return client.create(`${item('/sessions', id)}/events`, { events }, { signal, answer: AnyObject })
  },
  sign: sessionSign,
  usage: sessionUsage,
  events({ client, signal }, id, { follow, asWritten }) {
    const query = asWritten ? { 'event_deltas[]': 'agent.message' } : {}
    const path = `${item('/sessions', id)}/events`
    const source = {
      history: (last: JsonObject | undefined) => client.list(path, { signal, query: beginningAt(last) }, paging),
      stream: (closing: AbortSignal) => client.events(`${path}/stream`, { signal: closing, query }),
      isLast: ({ type }: { readonly type?: unknown }) =>
        type === 'session.status_terminated' || type === 'session.deleted',
      sleep: (ms: number, waiting: AbortSignal) => client.wait(ms, waiting),
    }
    return sessionEvents(source, { follow, signal })
  },
  archive: archiveSession,
  async delete(call, id) {
    await deleteSession(call, id)
    return 'deleted'
  },
}

function madeFile({ id, filename, size_bytes: sizeBytes, created_at: createdAt }: JsonObject): MadeFile {
  return {
    id: textOf(id),
    name: textOf(filename),
    ...(typeof sizeBytes === 'number' ? { sizeBytes } : {}),
    ...(typeof createdAt === 'string' ? { createdAt } : {}),
  }
}

/** The filter is compared with the time at which an event was processed. Several events may have the same one. */
function beginningAt(last: JsonObject | undefined): Query {
  const time = last?.['processed_at']
  return typeof time === 'string' ? { 'created_at[gte]': time } : {}
}
