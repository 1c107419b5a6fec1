// Sessions of an agent: started, talked to, watched and archived.
import type { Declaration } from '../../core/declaration/declaration.js'
import type { Sessions } from '../../core/plugin/sessions.js'
import type { AgentBody } from '../kinds/agent.js'
import type { BailianClient } from './client.js'
import { sessionBody } from './session-body.js'
import { sessionEvents } from './session-events.js'

export const sessions: Sessions<BailianClient> = {
  request(agent, request, scope) {
    const { name, body } = agent as unknown as Declaration<AgentBody> // Sessions are asked for agents alone.
    return sessionBody(name, body, request, scope)
  },
  create: ({ client, signal }, body) => client.create('/sessions', body, { signal }),
  list: ({ client, signal }, agentId) => client.list('/sessions', { signal, query: { agent_id: agentId } }),
  read: ({ client, signal }, id) => client.get(`/sessions/${id}`, { signal }),
  send: ({ client, signal }, id, text) => {
    const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }]
    return client.create(`/sessions/${id}/events`, { input }, { signal })
  },
  events: sessionEvents,
  archive: async ({ client, signal }, id) => void (await client.update(`/sessions/${id}/archive`, {}, { signal })),
}
