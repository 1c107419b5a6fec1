// Yields the events of a session: its history, then live events, each once.
import { parseBody } from '../../core/plugin/answer.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { ServerSentEvent } from '../../core/plugin/server-sent-events.js'
import { HttpFailure } from '../../core/ports/http.js'
import { isObject, type Json, type JsonObject } from '../../core/value/tree.js'

/** Silence after which the history is checked for missed events. */
const quietMs = 15_000
/** Delay before a stream that ended is reopened. */
const reopenAfterMs = 1_000

/** Events of one session at its provider. */
export interface EventSource {
  /**
   * Yields past events, oldest first. `last`: the last event of the previous history, to begin there. Every event
   * before it has been seen, while a stream may have left some out.
   */
  history(last: JsonObject | undefined): AsyncIterable<JsonObject>
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
  const seen = new Set<Json>()
  for await (const event of follow ? live(source, signal) : source.history(undefined)) {
    const { id } = event
    // The events of a history have ids. One of a stream that has none comes once.
    if (id !== undefined && seen.has(id)) continue
    if (id !== undefined) seen.add(id)
    yield event
    if (source.isLast(event)) return
  }
}

/** Yields live events, possibly twice: a stream has no history, so it is opened before the history is read. */
async function* live(source: EventSource, signal: AbortSignal): AsyncGenerator<JsonObject> {
  let last: JsonObject | undefined
  let hasStreamed = false
  for (;;) {
    const closing = new AbortController()
    const opened = source.stream(AbortSignal.any([signal, closing.signal]))
    const stream = hasStreamed ? endingQuietly(opened) : opened
    try {
      let next = awaitedLater(stream.next())
      let heard: Awaited<typeof next> | 'quiet' = 'quiet'
      while (heard === 'quiet' || !heard.done) {
        if (heard !== 'quiet') {
          hasStreamed = true
          next = awaitedLater(stream.next())
        }
        for await (const event of heard === 'quiet' ? source.history(last) : eventsIn(heard.value.data)) {
          if (heard === 'quiet') last = event
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

/**
 * Yields what a stream yields that there was before. An outage, or the page of a login or a gateway in its place, ends it
 * like a broken connection: whether the session is reachable is for its history to say.
 */
async function* endingQuietly(stream: AsyncGenerator<ServerSentEvent>): AsyncGenerator<ServerSentEvent> {
  try {
    yield* stream
  } catch (error) {
    if (!isFailure(error, 'retry', 'unexpected')) throw error
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

/**
 * Returns the event of a message. What is none (`[DONE]`, a sign of life, an event that was cut off) is left out: the
 * history has it if it was an event.
 */
function eventsIn(data: string): readonly JsonObject[] {
  const event = parseBody(data)
  return isObject(event) && typeof event['type'] === 'string' && event['type'] !== 'ping' ? [event] : []
}
