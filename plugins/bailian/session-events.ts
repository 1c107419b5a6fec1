// The events of a session: its history, and then what happens, each told once.
import type { Call } from '../../core/plugin/handler.js'
import { HttpFailure } from '../../core/ports/http.js'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'
import type { BailianClient } from './client.js'

/** After so long without a word the history is asked whether something was missed. */
const quietMs = 15_000
/** Before a stream that ended is opened again. */
const reopenAfterMs = 1_000

export async function* sessionEvents(
  call: Call<BailianClient>,
  id: string,
  { follow }: { readonly follow: boolean },
): AsyncGenerator<JsonObject> {
  const told = new Set<Json | undefined>()
  for await (const event of follow ? live(call, id) : history(call, id)) {
    if (told.has(event['id'])) continue
    told.add(event['id'])
    yield event
    if (statusIn(event) === 'terminated') return
  }
}

/** Tells some events twice: a stream has no past, so that it is opened before the history is read. */
async function* live(call: Call<BailianClient>, id: string): AsyncGenerator<JsonObject> {
  let since: Json | undefined
  for (;;) {
    const closing = new AbortController()
    const signal = AbortSignal.any([call.signal, closing.signal])
    const stream = call.client.events(`/sessions/${id}/events/stream`, { signal })
    try {
      let next = awaitedLater(stream.next())
      let heard: Awaited<typeof next> | 'quiet' = 'quiet'
      while (heard === 'quiet' || !heard.done) {
        if (heard !== 'quiet') next = awaitedLater(stream.next())
        for await (const event of heard === 'quiet' ? history(call, id, since) : eventsIn(heard.value.data)) {
          since = event['created_at'] ?? since
          yield event
        }
        heard = await heardOrQuiet(call, next)
      }
    } catch (error) {
      // A connection that broke is no answer; whether the session can still be reached, its history will tell.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      closing.abort()
    }
    await call.client.clock.sleep(reopenAfterMs, call.signal)
  }
}

function history({ client, signal }: Call<BailianClient>, id: string, since?: Json): AsyncGenerator<JsonObject> {
  // Several events may share a moment, so that the last moment is asked for again.
  const query = { order: 'asc', ...(typeof since === 'string' ? { 'created_at[gte]': since } : {}) }
  return client.list(`/sessions/${id}/events`, { signal, query })
}

async function heardOrQuiet<Heard>({ client, signal }: Call<BailianClient>, next: Promise<Heard>) {
  const waiting = new AbortController()
  const quiet = client.clock.sleep(quietMs, AbortSignal.any([signal, waiting.signal])).then((): 'quiet' => 'quiet')
  try {
    return await Promise.race([next, quiet])
  } finally {
    waiting.abort()
  }
}

/** Keeps a failure from counting as unhandled until somebody awaits the promise. */
function awaitedLater<Value>(promise: Promise<Value>): Promise<Value> {
  promise.catch(() => {})
  return promise
}

function eventsIn(data: string): readonly JsonObject[] {
  const event: unknown = JSON.parse(data)
  return isObject(event) ? [event] : []
}

function statusIn({ type, content }: JsonObject): Json | undefined {
  const [first] = Array.isArray(content) ? content : []
  const data = type === 'session_status' && isObject(first) ? first['data'] : undefined
  return isObject(data) ? data['session_status'] : undefined
}
