// Sessions of an agent: started, talked to, watched and ended.
import type { Declaration } from '../../core/declaration/declaration.js'
import { problem } from '../../core/diagnostic.js'
import type { Call, Remote } from '../../core/plugin/handler.js'
import type { SessionRequest, Sessions } from '../../core/plugin/sessions.js'
import type { AgentBody } from '../kinds/agent.js'
import type { ArkClient } from './client.js'
import { fileResource, sessionBody } from './session-body.js'
import { endSession } from './session-use.js'

const pollEveryMs = 2_000

/** What other providers let a session have, and why this one does not. */
const refused: readonly {
  readonly isAsked: (request: SessionRequest) => boolean
  readonly option: string
  readonly detail: string
}[] = [
  { isAsked: ({ identity }) => identity !== undefined, option: '--identity', detail: 'End users are unknown to Ark.' },
  {
    isAsked: ({ tunnel }) => tunnel !== undefined,
    option: '--tunnel',
    detail: 'Ark has no way into private networks.',
  },
  {
    isAsked: ({ variables }) => Object.keys(variables).length > 0,
    option: '--env',
    detail: 'Sessions of Ark take no environment variables; credentials of a vault can be some.',
  },
]

export const sessions: Sessions<ArkClient> = {
  request(agent, request, scope) {
    for (const { isAsked, option, detail } of refused)
      if (isAsked(request))
        throw problem('ark.session-option', 'A session cannot have this here', { detail, fix: `Leave out ${option}.` })
    const { name, body } = agent as unknown as Declaration<AgentBody> // Sessions are asked for agents alone.
    const { environment, vaults, memoryStores, files, title } = request
    const resources = files.map((file) => fileResource(scope.output('file', file), undefined))
    return sessionBody(name, body, { environment, vaults, memoryStores, resources, title }, scope)
  },
  create: ({ client, signal }, body) => client.create('/sessions', body, { signal }),
  list: ({ client, signal }, agentId) => client.list('/sessions', { signal, query: { agent_id: agentId } }),
  read: ({ client, signal }, id) => client.get(`/sessions/${id}`, { signal }),
  send: ({ client, signal }, id, text) =>
    client.create(
      `/sessions/${id}/events`,
      { events: [{ type: 'user.message', content: [{ type: 'text', text }] }] },
      { signal },
    ),
  events,
  // There is no archive: what ends a session takes its history along.
  archive: endSession,
  delete: endSession,
}

/** The history from its beginning; `follow` asks again until the session has ended or somebody stops. */
async function* events(
  { client, signal }: Call<ArkClient>,
  id: string,
  { follow }: { readonly follow: boolean },
): AsyncGenerator<Remote> {
  let since = ''
  const seen = new Set<unknown>()
  for (;;) {
    const query = { order: 'asc', ...(since === '' ? {} : { 'created_at[gte]': since }) }
    for await (const event of client.list(`/sessions/${id}/events`, { signal, query })) {
      // Several events may share a moment, so that the last moment is asked for again.
      if (seen.has(event['id'])) continue
      seen.add(event['id'])
      since = String(event['created_at'])
      yield event
      if (event['type'] === 'session.status_terminated') return
    }
    if (!follow) return
    await client.wait(pollEveryMs, signal)
  }
}
