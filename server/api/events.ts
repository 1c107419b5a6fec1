// Operation that streams the changes of a layer.
import { sendEvents } from '../events/send-events.js'
import { operation } from '../operation/operation.js'
import { AuditEvent } from '../schemas/events.js'
import { LayerPath } from '../schemas/ids.js'

export const eventOperations = [
  operation({
    name: 'doc.events',
    summary: 'The changes of a layer as they are made, as server-sent events',
    plane: 'document',
    method: 'GET',
    path: '/v1/docs/:docId/layers/:layerName/events',
    authority: { kind: 'document', capabilities: ['doc.open'] },
    input: { params: LayerPath },
    answer: ['text/event-stream'],
    isEndless: true,
    events: {
      description:
        'Server-sent events. `mutation`: a change; `data` is the JSON described here, `id` the event id to resume after. `full-refresh`: too many events were missed, or another layer was signed; read the layer again. `auth-expiring`: reconnect with a new token. `auth-revoked`: the token is refused permanently. The `data` of the last three is `{}`.',
      data: AuditEvent,
    },
    handle: async (_input, context) => sendEvents(context),
  }),
] as const
