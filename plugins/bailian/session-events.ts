// Events of a session: a list that can begin at a time, and a stream.
import type { Call } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { EventOptions, SessionSign } from '../../core/plugin/sessions.js'
import type { Json, JsonObject } from '../../core/value/tree.js'
import { sessionEvents as eventsOf } from '../shared/session-events.js'
import { objectOf, objectsOf, textOf } from '../shared/wire.js'
import type { BailianClient } from './client.js'

export function sessionEvents(
  { client, signal }: Call<BailianClient>,
  id: string,
  { follow }: EventOptions,
): AsyncGenerator<JsonObject> {
  const path = pathTo`/sessions/${id}/events`
  const source = {
    history(last: JsonObject | undefined) {
      // Several events may have the same time, so the next request begins at that time again.
      const since = last?.['created_at']
      const query = { order: 'asc', ...(typeof since === 'string' ? { 'created_at[gte]': since } : {}) }
      return client.list(path, { signal, query })
    },
    stream: (closing: AbortSignal) => client.events(`${path}/stream`, { signal: closing }),
    isLast: (event: JsonObject) => statusIn(event) === 'terminated',
    sleep: (ms: number, waiting: AbortSignal) => client.clock.sleep(ms, waiting),
  }
  return eventsOf(source, { follow, signal })
}

/** What an event says. This API takes no answer to a tool that asks, so it only says that the session waits. */
export function sessionSign(event: JsonObject): SessionSign | undefined {
  const { type, role, content } = event
  if (type === 'message' && role === 'assistant')
    return {
      type: 'says',
      text: objectsOf(content)
        .map(({ text }) => textOf(text))
        .join(''),
    }
  const status = statusIn(event)
  if (status === 'terminated') return { type: 'ends' }
  if (status === 'running') return { type: 'runs' }
  if (status !== 'idle') return undefined
  const reason = textOf(objectOf(dataIn(event)['stop_reason'])['type'])
  if (reason === 'requires_action') return { type: 'rests', reason: 'asks' }
  return reason === 'end_turn' || reason === '' ? { type: 'rests', reason: 'done' } : { type: 'fails', reason }
}

function statusIn(event: JsonObject): Json | undefined {
  return event['type'] === 'session_status' ? dataIn(event)['session_status'] : undefined
}

function dataIn({ content }: JsonObject): JsonObject {
  return objectOf(objectsOf(content)[0]?.['data'])
}
