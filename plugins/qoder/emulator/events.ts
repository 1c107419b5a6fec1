// Emulated session events: a message starts a short run at once, and events can be listed or streamed.
import { setTimeout as wait } from 'node:timers/promises'
import { Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatedRequest, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { list, listQuery } from './list.js'
import { type Api, events, sessionCollections } from './names.js'
import { type Context, exact, find, findActive, isoTime, newId } from './object.js'

const pollMs = 25

const Content = Type.Array(Type.Object({ type: Type.Literal('text'), text: Type.String() }, exact), { minItems: 1 })
const Post = Type.Object(
  {
    events: Type.Array(Type.Object({ type: Type.Enum(['user.message', 'system.message']), content: Content }, exact), {
      minItems: 1,
    }),
  },
  exact,
)

export const eventCollection: Collection = { kind: 'event', isTopLevel: false, isPermanent: false }

const extraFilters = {
  type: Type.Optional(Type.String()),
  include_tool_calls: Type.Optional(Type.String()),
  include_thinking: Type.Optional(Type.String()),
}

export function eventRoutes(api: Api): readonly Route[] {
  const sessions = sessionCollections[api]
  const cursors = api === 'managed' ? 'both' : 'id'
  return [
    route({
      method: 'POST',
      path: '/sessions/:id/events',
      body: Post,
      handle(request) {
        const session = findActive(request, sessions, request.params['id'])
        const sent = request.body.events.map((event) => addEvent(request, session.id, event))
        if (request.body.events.some(({ type }) => type === 'user.message')) answer(request, session)
        return { body: { data: sent.map(({ body }) => body) } }
      },
    }),
    route({
      method: 'GET',
      path: '/sessions/:id/events',
      query: listQuery(cursors, {
        order: Type.Optional(Type.Enum(['asc', 'desc'])),
        ...(api === 'forward' ? extraFilters : {}),
      }),
      handle(request) {
        const session = find(request, sessions, request.params['id'])
        const query: Readonly<Record<string, unknown>> = request.query
        const isMeant = ({ body }: StoredObject) => query['type'] === undefined || body['type'] === query['type']
        const order = query['order'] === 'asc' ? 'oldestFirst' : 'newestFirst'
        const found = [...request.store.childrenOf(events, session.id)].filter(isMeant)
        return list(found, request, { cursors, order })
      },
    }),
    route({
      method: 'GET',
      path: '/sessions/:id/events/stream',
      handle(request) {
        const session = find(request, sessions, request.params['id'])
        return { stream: frames(request, session.id, request.headers['last-event-id']) }
      },
    }),
  ]
}

export function addEvent(context: Context, sessionId: string, event: JsonObject): StoredObject {
  const { nowMs, store } = context
  const id = newId(context, 'evt_')
  const body = { id, ...event, session_id: sessionId, created_at: isoTime(nowMs) }
  return store.insert({ id, collection: events, parent: sessionId, body, createdAtMs: nowMs })
}

function answer(context: Context, session: StoredObject): void {
  addEvent(context, session.id, { type: 'session.status_running' })
  addEvent(context, session.id, { type: 'agent.message', content: [{ type: 'text', text: 'Done.' }] })
  addEvent(context, session.id, { type: 'session.status_idle', stop_reason: { type: 'end_turn' } })
}

/** Yields everything after the last event that the client received, then new events until either side disconnects. */
async function* frames(
  request: EmulatedRequest,
  sessionId: string,
  lastSeen: string | undefined,
): AsyncGenerator<string> {
  const { store, signal } = request
  const last = lastSeen === undefined ? undefined : store.find(events, lastSeen)
  if (lastSeen !== undefined && !last)
    throw refuse('invalid', 'Last-Event-ID: no such event', { param: 'Last-Event-ID' })
  let sequence = last?.sequence ?? 0
  yield 'event: heartbeat\ndata: {}\n\n'
  while (!signal.aborted) {
    for (const event of store.childrenOf(events, sessionId)) {
      if (event.sequence <= sequence) continue
      sequence = event.sequence
      yield `id: ${event.id}\ndata: ${JSON.stringify(event.body)}\n\n`
    }
    await wait(pollMs, undefined, { signal }).catch(() => undefined) // An aborted wait ends the loop by itself.
  }
}
