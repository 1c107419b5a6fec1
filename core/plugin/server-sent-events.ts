// Parses server-sent events from the text of a stream.
import { createParser, type EventSourceMessage } from 'eventsource-parser'

export interface ServerSentEvent {
  /** Value of the `event:` line. Absent: an event without a type. */
  readonly type?: string
  readonly id?: string
  readonly data: string
}

export async function* parseEvents(chunks: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  const complete: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => complete.push(event) })
  for await (const chunk of chunks) {
    parser.feed(chunk)
    for (const { event, id, data } of complete.splice(0)) {
      if (event === 'heartbeat') continue
      yield { data, ...(event === undefined ? {} : { type: event }), ...(id === undefined ? {} : { id }) }
    }
  }
}
