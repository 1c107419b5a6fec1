// Events of a session: a list that can begin at a time, and a stream.
import type { Call } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'
import { sessionEvents as eventsOf } from '../shared/session-events.js'
import type { BailianClient } from './client.js'

export function sessionEvents(
  { client, signal }: Call<BailianClient>,
  id: string,
  { follow }: { readonly follow: boolean },
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

function statusIn({ type, content }: JsonObject): Json | undefined {
  const [first] = Array.isArray(content) ? content : []
  const data = type === 'session_status' && isObject(first) ? first['data'] : undefined
  return isObject(data) ? data['session_status'] : undefined
}
