// Sessions of an agent: create, send messages, read events, end.

import { AnyObject } from '../../core/plugin/answer.js'
import type { Declaration } from '../../core/plugin/declaration.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { Call, Remote } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { Sessions } from '../../core/plugin/sessions.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { mountPath } from '../shared/mount-path.js'
import { refuseOptions } from '../shared/session-options.js'
import { namedFile, sessionParts } from '../shared/session-parts.js'
import { confirmations, sessionSign, sessionStatuses, sessionUsage } from '../shared/session-signs.js'
import type { ArkClient } from './client.js'
import { mountRoot } from './mount-root.js'
import { sessionBody } from './session-body.js'
import { endSession } from './session-use.js'

const pollEveryMs = 2_000

export const sessions: Sessions<ArkClient> = {
  request(agent, request, scope) {
    refuseOptions('ark', request, {
      identity: 'End users are unknown to Ark.',
      tunnel: 'Ark has no way into private networks.',
      variables: 'Sessions of Ark take no environment variables; credentials of a vault can be some.',
    })
    const named = agent as unknown as Declaration<AgentBody> // Sessions are asked for agents alone.
    const { environment, vaults, memoryStores, files, title } = request
    const resources = files.map((file) => namedFile(file, scope))
    const parts = sessionParts(named, { environment, vaults, memoryStores, resources, mountRoot }, scope)
    return sessionBody({ agent: named.name, title }, parts, scope)
  },
  create: ({ client, signal }, body) => client.create('/sessions', body, { signal }),
  statuses: sessionStatuses,
  list: ({ client, signal }, { agentId, status } = {}) =>
    client.list('/sessions', { signal, query: { agent_id: agentId, status } }),
  read: ({ client, signal }, id) => client.get(pathTo`/sessions/${id}`, { signal }),
  send: ({ client, signal }, id, text) =>
    client.create(
      pathTo`/sessions/${id}/events`,
      { events: [{ type: 'user.message', content: [{ type: 'text', text }] }] },
      { signal, answer: AnyObject },
    ),
  attach: ({ client, signal }, id, { id: file_id, name }) => {
    const body = { type: 'file', file_id, mount_path: mountPath(mountRoot, name) }
    return client.create(pathTo`/sessions/${id}/resources`, body, { signal })
  },
  confirm: ({ client, signal }, id, answers) => {
    const events = [...confirmations(answers)]
    return client.create(pathTo`/sessions/${id}/events`, { events }, { signal, answer: AnyObject })
  },
  sign: sessionSign,
  usage: sessionUsage,
  events,
  // The API has no archive: ending a session deletes its history.
  archive: endSession,
  async delete(call, id) {
    await endSession(call, id)
    return 'deleted'
  },
}

/**
 * Yields the history from its beginning; `follow` polls until the session has ended, which may remove it, or the caller
 * stops.
 */
async function* events(
  { client, signal }: Call<ArkClient>,
  id: string,
  { follow }: { readonly follow: boolean },
): AsyncGenerator<Remote> {
  let since = ''
  const seen = new Set<unknown>()
  for (let isFirst = true; ; isFirst = false) {
    const query = { order: 'asc', ...(since === '' ? {} : { 'created_at[gte]': since }) }
    try {
      for await (const event of client.list(pathTo`/sessions/${id}/events`, { signal, query })) {
        // Several events may have the same time, so the next request begins at that time again.
        if (seen.has(event['id'])) continue
        seen.add(event['id'])
        since = String(event['created_at'])
        yield event
        if (event['type'] === 'session.status_terminated') return
      }
    } catch (error) {
      if (isFirst || !isFailure(error, 'gone')) throw error
      return
    }
    if (!follow) return
    await client.wait(pollEveryMs, signal)
  }
}
