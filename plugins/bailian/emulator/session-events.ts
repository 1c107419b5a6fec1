// Emulated events of a session: sent, listed, and streamed from the moment a client connects.
import { Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type Route, refuse, route } from '../../emulator/contract.js'
import { pageOf } from '../../emulator/paging.js'
import type { StoredObject } from '../../emulator/store.js'
import { createdQuery, isCreatedWithin } from './created-at.js'
import { ClientEvent } from './event-schema.js'
import { found, refuseArchived } from './objects.js'
import { Exact, listQuery, Maybe } from './schema.js'
import { take } from './turns.js'

const path = '/sessions/:id/events'
const keepAlive = ': connected\n\n'

export const sessionEvents: Collection = { kind: 'session_event', isTopLevel: false, isPermanent: true }

export const sessionEventRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path,
    body: Exact({ input: Type.Array(ClientEvent, { minItems: 1 }) }),
    handle(request) {
      const session = found(request, 'sessions', request.params['id'])
      refuseArchived(session)
      return { body: { data: take(request, session, request.body.input as readonly JsonObject[]) } }
    },
  }),
  route({
    method: 'GET',
    path,
    query: Exact({
      ...listQuery,
      ...createdQuery,
      types: Maybe(Type.String({ minLength: 1 })),
      order: Maybe(Type.Enum(['asc', 'desc'])),
    }),
    handle(request) {
      const { id } = found(request, 'sessions', request.params['id'])
      const { types, order, limit = '20', page: token } = request.query
      const wanted = types === undefined ? undefined : new Set(types.split(','))
      const shown = [...request.store.childrenOf('session_events', id)].filter(
        (event) => (wanted?.has(String(event.body['type'])) ?? true) && isCreatedWithin(event, request.query),
      )
      const page = pageOf(shown, {
        limit: Number(limit),
        token,
        order: order === 'desc' ? 'newestFirst' : 'oldestFirst',
      })
      if (!page) throw refuse('invalid', 'page: not a page that was handed out')
      return { body: { data: page.rows.map(({ body }) => body), next_page: page.nextToken } }
    },
  }),
  route({
    method: 'GET',
    path: `${path}/stream`,
    handle({ store, params, signal, ...context }) {
      const { id } = found({ store, ...context }, 'sessions', params['id'])
      return { stream: frames(store.inserted('session_events', id, signal)) }
    },
  }),
]

/** Yields server-sent events of future events. They have no ids to resume from. */
async function* frames(events: AsyncIterable<StoredObject>): AsyncGenerator<string> {
  yield keepAlive
  for await (const { body } of events) yield `event: message\ndata: ${JSON.stringify(body)}\n\n`
}
