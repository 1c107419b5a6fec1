// Emulated events of a session: sent, listed oldest first, and streamed from the moment a client connects.
import { Type } from 'typebox'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { InputEvents } from './input-events.js'
import { list, live, requireObject } from './objects.js'
import { call, createdBetween, exact, listed, optional, query, repeated, text } from './schema.js'
import { openUses, takeTurn } from './turns.js'

export const sessionEventRoutes: readonly Route[] = [
  call({
    method: 'POST',
    path: '/sessions/:id/events',
    body: exact({ events: InputEvents }),
    handle(request) {
      const session = live(request.store, 'session', request.params['id'])
      for (const event of request.body.events) checkAnswer(request, session.id, event)
      return { body: { data: takeTurn(request, session, request.body.events as readonly JsonObject[]).taken } }
    },
  }),
  call({
    method: 'GET',
    path: '/sessions/:id/events',
    query: query({
      ...listed,
      ...createdBetween,
      order: optional(Type.Enum(['asc', 'desc'])),
      'types[]': optional(repeated(text())),
    }),
    handle({ store, params, query }) {
      const { id } = requireObject(store, 'session', params['id'])
      const wanted = query['types[]'] === undefined ? undefined : new Set<unknown>(query['types[]'].split(','))
      const events = [...store.childrenOf('session_event', id)].filter(({ body }) => wanted?.has(body['type']) ?? true)
      return list(events, query, { order: query.order === 'desc' ? 'newestFirst' : 'oldestFirst' })
    },
  }),
  call({
    method: 'GET',
    path: '/sessions/:id/events/stream',
    query: query({ 'event_deltas[]': optional(repeated(Type.Enum(['agent.message', 'agent.thinking']))) }),
    handle({ store, params, query, signal }) {
      const session = requireObject(store, 'session', params['id'])
      const hasDeltas = query['event_deltas[]']?.split(',').includes('agent.message') ?? false
      return { stream: messages(store.inserted('session_event', session.id, signal), hasDeltas) }
    },
  }),
]

/** A confirmation answers a use of a tool that waits for one. */
function checkAnswer(context: EmulatorContext, sessionId: string, event: JsonObject): void {
  if (event['type'] !== 'user.tool_confirmation') return
  const { tool_use_id: id, result, deny_message: message } = event
  if (result === 'allow' && typeof message === 'string') throw refuse('invalid', 'deny_message: only with deny')
  if (!openUses(context, sessionId).includes(String(id)))
    throw refuse('invalid', `tool_use_id: ${String(id)} does not wait for a confirmation`)
}

async function* messages(events: AsyncIterable<StoredObject>, hasDeltas: boolean): AsyncGenerator<string> {
  for await (const { body } of events) {
    if (hasDeltas && body['type'] === 'agent.message') yield* preview(body)
    yield frame(body)
  }
}

/** Yields a message in the two halves in which it is written. */
function* preview({ id, type, content }: JsonObject): Iterable<string> {
  const [first] = Array.isArray(content) ? content : []
  const text = isObject(first) ? String(first['text']) : ''
  yield frame({ type: 'event_start', event: { id, type } })
  for (const part of [text.slice(0, text.length / 2), text.slice(text.length / 2)])
    yield frame({
      type: 'event_delta',
      event_id: id,
      delta: { type: 'content_delta', index: 0, content: { type: 'text', text: part } },
    })
}

const frame = (body: JsonObject): string => `event: ${String(body['type'])}\ndata: ${JSON.stringify(body)}\n\n`

export const sessionEventCollection: Collection = { kind: 'session_event', isTopLevel: false, isPermanent: true }
