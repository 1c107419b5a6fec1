// Yields the events of a session: its history, then live events, each once.
import type { ServerSentEvent } from '../../core/plugin/server-sent-events.js'
import { HttpFailure } from '../../core/ports/http.js'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'

/** Silence after which the history is checked for missed events. */
const quietMs = 15_000
/** Delay before a stream that ended is reopened. */
const reopenAfterMs = 1_000

/** Events of one session at its provider. */
export interface EventSource {
  /** Yields past events, oldest first. `since`: time of the last known event, for APIs that can start there. */
  history(since: Json | undefined): AsyncIterable<JsonObject>
  /** Streams future events until the connection breaks. */
  stream(signal: AbortSignal): AsyncGenerator<ServerSentEvent>
  /** True if the event is the last one of the session. */
  isLast(event: JsonObject): boolean
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export async function* sessionEvents(
  source: EventSource,
  { follow, signal }: { readonly follow: boolean; readonly signal: AbortSignal },
): AsyncGenerator<JsonObject> {
  const seen = new Set<Json | undefined>()
  for await (const event of follow ? live(source, signal) : source.history(undefined)) {
    if (event['id'] !== undefined && seen.has(event['id'])) continue
    seen.add(event['id'])
    yield event
    if (source.isLast(event)) return
  }
}

/** Yields live events, possibly twice: a stream has no history, so it is opened before the history is read. */
async function* live(source: EventSource, signal: AbortSignal): AsyncGenerator<JsonObject> {
  let since: Json | undefined
  for (;;) {
    const closing = new AbortController()
    const stream = source.stream(AbortSignal.any([signal, closing.signal]))
    try {
      let next = awaitedLater(stream.next())
      let heard: Awaited<typeof next> | 'quiet' = 'quiet'
      while (heard === 'quiet' || !heard.done) {
        if (heard !== 'quiet') next = awaitedLater(stream.next())
        for await (const event of heard === 'quiet' ? source.history(since) : eventsIn(heard.value.data)) {
          since = event['created_at'] ?? since
          yield event
        }
        heard = await eventOrQuiet(source, next, signal)
      }
    } catch (error) {
      // A broken connection is not final: reading the history shows whether the session is reachable.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      closing.abort()
    }
    await source.sleep(reopenAfterMs, signal)
  }
}

async function eventOrQuiet<Heard>(source: EventSource, next: Promise<Heard>, signal: AbortSignal) {
  const waiting = new AbortController()
  const quiet = source.sleep(quietMs, AbortSignal.any([signal, waiting.signal])).then((): 'quiet' => 'quiet')
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
