// Open event streams of this process, limited in number and shared fairly among accounts. A stream ends when its client
// disconnects or stalls, or when the server stops.
import { Readable } from 'node:stream'
import type { Account } from '../../workers/messages/account.js'
import { limits } from '../limits.js'
import { Refusal } from '../refusals/refusal.js'
import { FairPlaces } from './fair-places.js'

export interface StreamBounds {
  readonly streamsMax: number
  readonly streamsPerTokenMax: number
  readonly stallMs: number
  /**
   * Maximum duration of a stream. A disconnected client of a quiet stream cannot be detected; a live one reconnects.
   */
  readonly lifetimeMs: number
  /** Maximum number of missed changes that are replayed; beyond it the client must read everything again. */
  readonly replayRowsMax: number
}

const defaultBounds: StreamBounds = {
  streamsMax: limits.eventStreamsMax,
  streamsPerTokenMax: limits.eventStreamsPerTokenMax,
  stallMs: limits.eventStallMs,
  lifetimeMs: limits.eventStreamLifetimeMs,
  replayRowsMax: limits.eventReplayRowsMax,
}

interface OpenStream {
  readonly stream: Readable
  readonly token: string | undefined
  readonly end: AbortController
}

export interface StreamReader {
  readonly account: Account
  /** Token that limits the streams; undefined for a caller without a limit of its own. */
  readonly token: string | undefined
}

export class EventStreams {
  private readonly open = new Set<OpenStream>()
  private readonly bounds: StreamBounds
  private readonly places: FairPlaces
  private isClosing = false

  constructor(bounds: Partial<StreamBounds> = {}) {
    this.bounds = { ...defaultBounds, ...bounds }
    this.places = new FairPlaces(this.bounds.streamsMax)
  }

  get replayRowsMax(): number {
    return this.bounds.replayRowsMax
  }

  get count(): number {
    return this.open.size
  }

  /**
   * Starts a stream that pulls frames as fast as the client reads them. `frames` must end when its signal is aborted.
   * Throws `RuntimeUnavailable` at the limit of the process, `TooManyRequests` at that of a token, share or tenant.
   */
  start(
    reader: StreamReader,
    disconnected: AbortSignal,
    frames: (signal: AbortSignal) => AsyncIterable<string>,
  ): Readable {
    const { token } = reader
    const leavePlace = this.enter(reader)
    const end = new AbortController()
    const stream: Readable = Readable.from(
      paced(this.withHint(frames(end.signal)), this.bounds.stallMs, () => stream.destroy()),
      { objectMode: false },
    )
    const opened = { stream, token, end }
    this.open.add(opened)
    const leave = () => end.abort()
    disconnected.addEventListener('abort', leave)
    const lifetime = setTimeout(leave, this.bounds.lifetimeMs).unref()
    stream.once('close', () => {
      end.abort()
      clearTimeout(lifetime)
      disconnected.removeEventListener('abort', leave)
      this.open.delete(opened)
      leavePlace()
    })
    return stream
  }

  /** Tells readers, when the server stops, to reconnect soon but not all at once. */
  private async *withHint(frames: AsyncIterable<string>): AsyncIterable<string> {
    yield* frames
    if (this.isClosing) yield `retry: ${500 + Math.floor(Math.random() * 2000)}\n\n`
  }

  /** Ends all streams; clients that do not read the end are disconnected. */
  close(): void {
    this.isClosing = true
    for (const { stream, end } of this.open) {
      end.abort()
      if (stream.readableLength > 0) stream.destroy()
    }
  }

  private enter({ account, token }: StreamReader): () => void {
    const { streamsMax, streamsPerTokenMax } = this.bounds
    const count = token === undefined ? 0 : [...this.open].filter((other) => other.token === token).length
    if (count >= streamsPerTokenMax) throw tooMany(`A token has at most ${streamsPerTokenMax} event streams at once`)
    const leave = this.places.take(account)
    if (leave !== undefined) return leave
    if (this.places.count < streamsMax) throw tooMany('This tenant or share has as many event streams as it may')
    throw new Refusal('RuntimeUnavailable', 'Too many event streams are open', { retryAfterSeconds: 5 })
  }
}

const tooMany = (message: string) => new Refusal('TooManyRequests', message, { retryAfterSeconds: 5 })

/** Passes frames on and calls `cut` if the client reads nothing for `stallMs`. */
async function* paced(frames: AsyncIterable<string>, stallMs: number, cut: () => void): AsyncIterable<string> {
  for await (const frame of frames) {
    const timer = setTimeout(cut, stallMs)
    try {
      yield frame
    } finally {
      clearTimeout(timer)
    }
  }
}
