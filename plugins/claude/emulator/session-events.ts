// Emulated events of a session: sent, listed oldest first, and streamed from the moment a client connects.
import { Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import type { Collection, Route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { list, live, requireObject } from './objects.js'
import { call, createdBetween, exact, listed, optional, query, text } from './schema.js'
import { takeTurn } from './turns.js'

/** Types of input events. They are documented; most of the members of events are not. */
const inputTypes = [
  'user.message',
  'user.interrupt',
  'user.tool_confirmation',
  'user.custom_tool_result',
  'user.tool_result',
  'user.define_outcome',
  'system.message',
] as const

const Input = Type.Object({ type: Type.Enum([...inputTypes]) }, { additionalProperties: Type.Unknown() })

export const sessionEventRoutes: readonly Route[] = [
  call({
    method: 'POST',
    path: '/sessions/:id/events',
    body: exact({ events: Type.Array(Input, { minItems: 1, maxItems: 50 }) }),
    handle(request) {
      const session = live(request.store, 'session', request.params['id'])
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
      types: optional(text()),
    }),
    handle({ store, params, query }) {
      const { id } = requireObject(store, 'session', params['id'])
      const wanted = query.types === undefined ? undefined : new Set<unknown>(query.types.split(','))
      const events = [...store.childrenOf('session_event', id)].filter(({ body }) => wanted?.has(body['type']) ?? true)
      return list(events, query, { order: query.order === 'desc' ? 'newestFirst' : 'oldestFirst' })
    },
  }),
  call({
    method: 'GET',
    path: '/sessions/:id/events/stream',
    handle({ store, params, signal }) {
      const session = requireObject(store, 'session', params['id'])
      return { stream: messages(store.inserted('session_event', session.id, signal)) }
    },
  }),
]

async function* messages(events: AsyncIterable<StoredObject>): AsyncGenerator<string> {
  for await (const { body } of events) yield `event: ${String(body['type'])}\ndata: ${JSON.stringify(body)}\n\n`
}

export const sessionEventCollection: Collection = { kind: 'session_event', isTopLevel: false, isPermanent: true }
