// The event streams of this process: so many and no more, shared out among tenants and in them, each ended when its reader goes, stops taking what it is sent, or
// the server stops.
import { Readable } from 'node:stream'
import type { Account } from '../../workers/messages/account.js'
import { limits } from '../limits.js'
import { Refusal } from '../refusals/refusal.js'
import { FairPlaces } from './fair-places.js'

export interface StreamBounds {
  readonly streamsMax: number
  readonly streamsPerTokenMax: number
  readonly stallMs: number
  /** Whether a reader takes the few bytes of a quiet stream cannot be seen; it comes back when the stream has ended. */
  readonly lifetimeMs: number
  /** A reader that missed more than so many changes reads everything anew. */
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
  /** Undefined = a caller without a bound of its own. */
  readonly token: string | undefined
}

export class EventStreams {
  private readonly open = new Set<OpenStream>()
  private readonly bounds: StreamBounds
  private readonly places: FairPlaces

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
   * Frames are made as fast as the reader takes them, and no faster. They end when their signal is aborted. Throws
   * `RuntimeUnavailable`, or `TooManyRequests` where one token, share or tenant asks for more than its part of them.
   */
  start(reader: StreamReader, gone: AbortSignal, frames: (signal: AbortSignal) => AsyncIterable<string>): Readable {
    const { token } = reader
    const leavePlace = this.enter(reader)
    const end = new AbortController()
    const stream: Readable = Readable.from(
      paced(frames(end.signal), this.bounds.stallMs, () => stream.destroy()),
      { objectMode: false },
    )
    const opened = { stream, token, end }
    this.open.add(opened)
    const leave = () => end.abort()
    gone.addEventListener('abort', leave)
    const lifetime = setTimeout(leave, this.bounds.lifetimeMs).unref()
    stream.once('close', () => {
      end.abort()
      clearTimeout(lifetime)
      gone.removeEventListener('abort', leave)
      this.open.delete(opened)
      leavePlace()
    })
    return stream
  }

  /** Readers that keep up see the end of their answer; the others are cut off. */
  close(): void {
    for (const { stream, end } of this.open) {
      end.abort()
      if (stream.readableLength > 0) stream.destroy()
    }
  }

  private enter({ account, token }: StreamReader): () => void {
    const { streamsMax, streamsPerTokenMax } = this.bounds
    const own = token === undefined ? 0 : [...this.open].filter((other) => other.token === token).length
    if (own >= streamsPerTokenMax) throw tooMany(`A token has at most ${streamsPerTokenMax} event streams at once`)
    const leave = this.places.take(account)
    if (leave !== undefined) return leave
    if (this.places.count < streamsMax) throw tooMany('This tenant or share has as many event streams as it may')
    throw new Refusal('RuntimeUnavailable', 'Too many event streams are open', { retryAfterSeconds: 5 })
  }
}

const tooMany = (message: string) => new Refusal('TooManyRequests', message, { retryAfterSeconds: 5 })

/** A reader that takes nothing for so long is cut off: it holds a place, and may not even be there any more. */
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
