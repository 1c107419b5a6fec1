// Follows the changes of a layer while it is shown, and who else reads it. Connections end, and are made again where
// they ended.
import { EventSourceParserStream } from 'eventsource-parser/stream'
import type { AuditEvent, PresenceEvent, PresentReader } from '../../../schemas/events.js'
import { ApiError } from '../../shared/api-error.js'
import type { OpenedDocument } from './opened-document.js'

export interface ChangeReader {
  /** Called after one or several changes. Not called again before it ends. */
  readonly onChange: () => Promise<void>
  /** Called with each change, before `onChange`. */
  readonly onEvent: (event: AuditEvent) => void
  /** Called when other readers come or go. */
  readonly onOthers: (others: Others) => void
  /** Called when the reader may not see the document any more. */
  readonly onEnd: (error: ApiError) => void
}

/** The other readers of the layer. */
export interface Others {
  /** The first of them. */
  readonly people: readonly PresentReader[]
  readonly count: number
}

export const nobody: Others = { people: [], count: 0 }

const pauseMs = { first: 1_000, max: 30_000 }

/** Returns a function that ends it. */
export function followChanges(opened: OpenedDocument, reader: ChangeReader): () => void {
  const controller = new AbortController()
  void new ChangeFollower(opened, reader, controller.signal).run()
  return () => controller.abort()
}

class ChangeFollower {
  #lastId: string
  #isReading = false
  #isBehind = false

  constructor(
    private readonly opened: OpenedDocument,
    private readonly reader: ChangeReader,
    private readonly signal: AbortSignal,
  ) {
    this.#lastId = String(opened.auditHead)
  }

  async run(): Promise<void> {
    let wait = pauseMs.first
    await this.opened.firstPicture.shown
    while (!this.signal.aborted) {
      const { replaced } = this.opened.client
      const stream = new AbortController()
      const end = () => stream.abort()
      for (const signal of [this.signal, replaced]) signal.addEventListener('abort', end, { once: true })
      try {
        await this.#listen(stream.signal)
        wait = pauseMs.first
      } catch (error) {
        if (this.signal.aborted) return
        if (replaced.aborted) continue
        if (isFinal(error)) return this.reader.onEnd(error)
        wait = Math.min(wait * 2, pauseMs.max)
      } finally {
        for (const signal of [this.signal, replaced]) signal.removeEventListener('abort', end)
      }
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const headers = { 'Last-Event-ID': this.#lastId }
    // Whoever may read annotations sees the names of people.
    const path = this.opened.may('doc.annotate.read') ? 'events?presence=true' : 'events'
    const answer = await this.opened.send(path, { signal, headers })
    const events = answer.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream())
    if (events === undefined) return
    for await (const { id, event, data } of chunksOf(events)) {
      if (id) this.#lastId = id
      if (event === 'auth-revoked') throw new ApiError(401, 'Unauthenticated', 'The token was revoked')
      if (event === 'auth-expiring') return
      if (event === 'presence') this.reader.onOthers(othersIn(JSON.parse(data)))
      if (event === 'mutation') this.reader.onEvent(JSON.parse(data))
      if (event === 'mutation' || event === 'full-refresh') void this.#read()
    }
  }

  async #read(): Promise<void> {
    this.#isBehind = true
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#isBehind && !this.signal.aborted) {
        this.#isBehind = false
        await this.reader.onChange()
      }
    } catch (error) {
      // The next change tells again what is new.
      if (isFinal(error) && !this.signal.aborted) this.reader.onEnd(error)
    } finally {
      this.#isReading = false
    }
  }
}

const othersIn = ({ self, readers, count }: PresenceEvent): Others => ({
  people: readers.filter(({ id }) => id !== self),
  count: count - 1,
})

/** True if another attempt would be refused, too. */
const isFinal = (error: unknown): error is ApiError =>
  error instanceof ApiError && [401, 403, 404, 410].includes(error.status)

/** Not every browser can iterate a stream. */
async function* chunksOf<Chunk>(stream: ReadableStream<Chunk>): AsyncIterable<Chunk> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    void reader.cancel().catch(() => {})
  }
}
