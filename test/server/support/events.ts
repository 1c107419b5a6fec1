// Client of event streams, which returns events in order and counts comments.
import type { Client } from './client.js'

export interface ServerEvent {
  readonly event: string
  readonly id: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

/** Timeout for events: generous, because it only expires if the test fails. */
const patienceMs = 15_000

export class EventReader {
  private text = ''
  private heard = 0
  private retry: number | undefined

  private constructor(
    readonly status: number,
    readonly headers: Headers,
    private readonly body: ReadableStreamDefaultReader<Uint8Array> | undefined,
  ) {}

  /** Resolves when the server has accepted or refused the stream. */
  static async open(
    client: Client,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<EventReader> {
    const answer = await fetch(new URL(path, client.url), {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${client.token}`, ...headers },
    })
    const reader = new EventReader(answer.status, answer.headers, answer.body?.getReader())
    if (answer.status === 200) await reader.more()
    return reader
  }

  /** Number of comments, lines that begin with a colon. */
  get comments(): number {
    return this.heard
  }

  /** Milliseconds after which the server wants to be asked again; undefined if it has not said so. */
  get retryMs(): number | undefined {
    return this.retry
  }

  /** Returns the next event; undefined = the stream ended. */
  async next(): Promise<ServerEvent | undefined> {
    for (;;) {
      const end = this.text.indexOf('\n\n')
      if (end >= 0) {
        const frame = this.text.slice(0, end)
        this.text = this.text.slice(end + 2)
        if (frame.startsWith(':')) this.heard += 1
        else if (frame.startsWith('retry:')) this.retry = Number(frame.slice('retry:'.length))
        else return eventOf(frame)
      } else if (!(await this.more())) return undefined
    }
  }

  /** Returns this number of events, in order. */
  async take(count: number): Promise<readonly ServerEvent[]> {
    const events: ServerEvent[] = []
    while (events.length < count) {
      const event = await this.next()
      if (!event) throw new Error(`The stream ended after ${events.length} of ${count} events`)
      events.push(event)
    }
    return events
  }

  async close(): Promise<void> {
    await this.body?.cancel()
  }

  private async more(): Promise<boolean> {
    if (!this.body) return false
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('No event arrived')), patienceMs)
    })
    try {
      const { value, done } = await Promise.race([this.body.read(), late])
      if (value) this.text += Buffer.from(value).toString('utf8')
      return !done
    } finally {
      clearTimeout(timer)
    }
  }
}

function eventOf(frame: string): ServerEvent {
  const fields = new Map(
    frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  )
  return { event: fields.get('event') ?? '', id: fields.get('id'), data: JSON.parse(fields.get('data') ?? 'null') }
}
