// Following the changes of a layer.
import { sendEvents } from '../events/send-events.js'
import { operation } from '../operation.js'
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
    handle: async (_input, context) => sendEvents(context),
  }),
] as const
