// The events of a session: its history, and then what happens, each told once.
import type { ServerSentEvent } from '../../core/plugin/server-sent-events.js'
import { HttpFailure } from '../../core/ports/http.js'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'

/** After so long without a word the history is asked whether something was missed. */
const quietMs = 15_000
/** Before a stream that ended is opened again. */
const reopenAfterMs = 1_000

/** One session, as its provider tells of it. */
export interface EventSource {
  /** Oldest first. `since` is when the last event known happened, for APIs that can begin there. */
  history(since: Json | undefined): AsyncIterable<JsonObject>
  /** Streams events from now on, until the connection breaks. */
  stream(signal: AbortSignal): AsyncGenerator<ServerSentEvent>
  /** The session has ended with it. */
  isLast(event: JsonObject): boolean
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export async function* sessionEvents(
  source: EventSource,
  { follow, signal }: { readonly follow: boolean; readonly signal: AbortSignal },
): AsyncGenerator<JsonObject> {
  const told = new Set<Json | undefined>()
  for await (const event of follow ? live(source, signal) : source.history(undefined)) {
    if (told.has(event['id'])) continue
    told.add(event['id'])
    yield event
    if (source.isLast(event)) return
  }
}

/** May yield an event twice: a stream has no past, so it is opened before the history is read. */
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
        heard = await heardOrQuiet(source, next, signal)
      }
    } catch (error) {
      // A connection that broke is no answer; whether the session can still be reached, its history will tell.
      if (!(error instanceof HttpFailure)) throw error
    } finally {
      closing.abort()
    }
    await source.sleep(reopenAfterMs, signal)
  }
}

async function heardOrQuiet<Heard>(source: EventSource, next: Promise<Heard>, signal: AbortSignal) {
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
