// Sessions of an agent: create, send messages, read events, end.

import { AnyObject } from '../../core/plugin/answer.js'
import type { Declaration } from '../../core/plugin/declaration.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { Call } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { Sessions } from '../../core/plugin/sessions.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { mountPath } from '../shared/mount-path.js'
import { sessionStatuses } from '../shared/session-signs.js'
import type { BailianClient } from './client.js'
import { mountRoot } from './mounts.js'
import { sessionBody } from './session-body.js'
import { sessionEvents, sessionSign } from './session-events.js'

/** Delays before retrying to delete a session that was interrupted. */
const restsAfterMs = [500, 1_000, 2_000, 4_000, 8_000] as const

export const sessions: Sessions<BailianClient> = {
  request(agent, request, scope) {
    const { name, body } = agent as unknown as Declaration<AgentBody> // Sessions are asked for agents alone.
    return sessionBody(name, body, request, scope)
  },
  create: ({ client, signal }, body) => client.create('/sessions', body, { signal }),
  statuses: sessionStatuses,
  list: ({ client, signal }, { agentId, status } = {}) =>
    client.list('/sessions', { signal, query: { agent_id: agentId, 'statuses[]': status } }),
  read: ({ client, signal }, id) => client.get(pathTo`/sessions/${id}`, { signal }),
  send: ({ client, signal }, id, text) => {
    const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }]
    return client.create(pathTo`/sessions/${id}/events`, { input }, { signal, answer: AnyObject })
  },
  attach: ({ client, signal }, id, { id: file_id, name }) => {
    const body = { type: 'file', file_id, mount_path: mountPath(mountRoot, name) }
    return client.create(pathTo`/sessions/${id}/resources`, body, { signal })
  },
  events: sessionEvents,
  sign: sessionSign,
  archive: async ({ client, signal }, id) =>
    void (await client.update(pathTo`/sessions/${id}/archive`, {}, { signal })),
  delete: remove,
}

/** Deletes a session. A running one must be interrupted first and stops some time later. */
async function remove({ client, signal }: Call<BailianClient>, id: string): Promise<'deleted'> {
  const path = pathTo`/sessions/${id}`
  for (const waitMs of restsAfterMs) {
    try {
      await client.delete(path, { signal })
      return 'deleted'
    } catch (error) {
      if (!isFailure(error, 'inUse')) throw error
      await client.update(`${path}/events`, { input: [{ type: 'interrupt' }] }, { signal, answer: AnyObject })
      await client.clock.sleep(waitMs, signal)
    }
  }
  await client.delete(path, { signal })
  return 'deleted'
}
