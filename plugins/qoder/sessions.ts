// Sessions of an agent in either API: create, send messages, read events, end. Ids have the same form in both APIs, so
// a session known only by its id is looked up in both.

import { AnyObject } from '../../core/plugin/answer.js'
import type { Declaration } from '../../core/plugin/declaration.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { Call, Remote } from '../../core/plugin/handler.js'
import type { Sessions } from '../../core/plugin/sessions.js'
import { isObject, type JsonObject } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { sessionEvents } from '../shared/session-events.js'
import { sessionSign, sessionStatuses } from '../shared/session-signs.js'
import { objectOf, objectsOf } from '../shared/wire.js'
import { type Api, paging, type QoderClient } from './client.js'
import { deliveryOf } from './delivery.js'
import { forwardSession, managedSession } from './session-body.js'
import { agentOf } from './sessions-in-use.js'
import { item } from './wire.js'

export const sessions: Sessions<QoderClient> = {
  request(agent, request, scope) {
    const named = agent as unknown as Declaration<AgentBody> // Sessions are asked for agents alone.
    return deliveryOf(named.body) === 'forward'
      ? forwardSession(named, request, scope)
      : managedSession(named, request, scope)
  },
  create: ({ client, signal }, body) =>
    client['template_id' in body ? 'forward' : 'managed'].create('/sessions', body, { signal }),
  statuses: [...sessionStatuses, 'canceling'],
  /** Neither API filters by status, so all sessions of the agent are read. */
  async *list({ client, signal }, { agentId, status } = {}) {
    for (const api of ['managed', 'forward'] as const) {
      if (agentId !== undefined && apiOf(agentId) !== api) continue
      const query = { [api === 'managed' ? 'agent_id' : 'template_id']: agentId }
      for await (const session of client[api].list('/sessions', { signal, query }, paging)) {
        const isOfAgent = agentId === undefined || usedBy(session) === agentId
        if (isOfAgent && (status === undefined || session['status'] === status)) yield session
      }
    }
  },
  read: async (call, id) => (await find(call, id)).session,
  async send(call, id, text) {
    const { api } = await find(call, id)
    const events = [{ type: 'user.message', content: [{ type: 'text', text }] }]
    const answer = await call.client[api].create(
      item('/sessions', id, 'events'),
      { events },
      { signal: call.signal, answer: AnyObject },
    )
    return objectsOf(answer['data'])[0] ?? answer
  },
  async *events(call, id, { follow }) {
    const { client, signal } = call
    const { api } = await find(call, id)
    const path = item('/sessions', id, 'events')
    const source = {
      history(last: JsonObject | undefined) {
        const query = { order: 'asc', ...(last ? { after_id: String(last['id']) } : {}) }
        return client[api].list(path, { signal, query }, paging)
      },
      stream: (closing: AbortSignal) => client[api].events(`${path}/stream`, { signal: closing }),
      isLast: ({ type }: JsonObject) => type === 'session.status_terminated',
      sleep: (ms: number, waiting: AbortSignal) => client.wait(ms, waiting),
    }
    yield* sessionEvents(source, { follow, signal })
  },
  sign(event) {
    const sign = sessionSign(event)
    // Here `requires_action` means that the session goes on by itself.
    return sign?.type === 'rests' && sign.reason === 'asks' ? { type: 'runs' } : sign
  },
  async archive(call, id) {
    const { api } = await find(call, id)
    await call.client[api].update(item('/sessions', id, 'archive'), {}, { signal: call.signal })
  },
  /** Forward sessions cannot be deleted, only archived. */
  async delete(call, id) {
    const { api } = await find(call, id)
    const { client, signal } = call
    if (api === 'managed') {
      await client.managed.delete(item('/sessions', id), { signal })
      return 'deleted'
    }
    await client.forward.update(item('/sessions', id, 'archive'), {}, { signal })
    return 'archived'
  },
}

/** Templates, which forward sessions run, have ids of their own form. */
const apiOf = (agentId: string): Api => (agentId.startsWith('tmpl_') ? 'forward' : 'managed')

function usedBy(session: Remote): string {
  return isObject(session['template']) ? String(objectOf(session['template'])['id']) : agentOf(session)
}

async function find({ client, signal }: Call<QoderClient>, id: string): Promise<{ api: Api; session: Remote }> {
  try {
    return { api: 'managed', session: await client.managed.get(item('/sessions', id), { signal }) }
  } catch (error) {
    if (!isFailure(error, 'gone')) throw error
    return { api: 'forward', session: await client.forward.get(item('/sessions', id), { signal }) }
  }
}
