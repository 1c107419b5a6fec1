// Operation that streams the changes of a layer.
import { sendEvents } from '../events/send-events.js'
import { operation } from '../operation/operation.js'
import { AuditEvent, EventsQuery } from '../schemas/events.js'
import { LayerPath } from '../schemas/ids.js'

export const eventOperations = [
  operation({
    name: 'doc.events',
    summary: 'The changes of a layer as they are made, as server-sent events',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/events',
    authority: { kind: 'document', capabilities: ['doc.open'] },
    input: { params: LayerPath, query: EventsQuery },
    answer: ['text/event-stream'],
    isEndless: true,
    events: {
      description:
        'Server-sent events. `mutation`: a change; `data` is the JSON described here, `id` the event id to resume after. `full-refresh`: too many events were missed, or another layer was signed; read the layer again. With `presence=true`, `presence`: the readers of the layer, sent when some come or go; `data` is `{ self, readers: [{ id, sub, displayName }], count }`, where `self` is the `id` of this reader, and `readers` are at most 50 of `count`; whoever has several streams is one reader. `auth-expiring`: reconnect with a new token. `auth-revoked`: the token is refused permanently. The `data` of `full-refresh`, `auth-expiring` and `auth-revoked` is `{}`.',
      data: AuditEvent,
    },
    handle: async ({ query }, context) => sendEvents(query, context),
  }),
] as const
