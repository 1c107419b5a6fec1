// The readers of one layer: those of this process, and those that other processes have announced.
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../core/ports/clock.js'
import type { PresentReader } from '../schemas/events.js'
import type { Bus } from '../storage/bus.js'
import { type Announcement, readAnnouncement, writeAnnouncement } from './announcement.js'
import { presenceLimits } from './presence-limits.js'

export interface Present {
  /** The first of the readers; there may be more. */
  readonly readers: PresentReader[]
  readonly count: number
}

export interface RoomParts {
  readonly topic: string
  readonly bus: Bus
  readonly clock: Clock
  /** Id of this process. */
  readonly process: string
  /** Called when the last reader of this process has left. */
  readonly onEmpty: () => void
}

interface Guest {
  /** As the newest stream says, because a visitor may give a name meanwhile. */
  reader: PresentReader
  /** One for each stream of the reader; none after all of them ended. */
  readonly streams: Set<() => void>
}

interface Others extends Present {
  readonly until: number
}

export class Room {
  /** By the id of the reader. */
  private readonly guests = new Map<string, Guest>()
  private readonly others = new Map<string, Others>()
  private readonly endHearing: () => void
  private telling: NodeJS.Timeout | undefined
  /** True if others do not know yet who is here. */
  private isUntold = false

  constructor(private readonly parts: RoomParts) {
    this.endHearing = parts.bus.onAnnouncement(parts.topic, (text) => this.hear(text))
    // Other processes answer with their readers.
    this.announce({ asks: true })
  }

  /** Returns everybody, with this reader first. */
  present(own: string): Present {
    const parties = [this.here(), ...this.others.values()]
    const named = new Map(parties.flatMap(({ readers }) => readers).map((reader) => [reader.id, reader]))
    const unnamed = parties.reduce((sum, { readers, count }) => sum + count - readers.length, 0)
    const self = this.guests.get(own)?.reader
    const isUnnamed = self !== undefined && !named.delete(own)
    const readers = [...(self === undefined ? [] : [self]), ...named.values()]
    const count = readers.length + unnamed - (isUnnamed ? 1 : 0)
    return { readers: readers.slice(0, presenceLimits.readersMax), count }
  }

  /** Lets a reader in, who may be there with another stream. Returns a function that ends this one. */
  enter(reader: PresentReader, onChange: () => void): () => void {
    const guest = this.guests.get(reader.id) ?? { reader, streams: new Set() }
    guest.reader = reader
    // The same function may be of two streams.
    const stream = () => onChange()
    guest.streams.add(stream)
    this.guests.set(reader.id, guest)
    this.tellSoon()
    return () => {
      guest.streams.delete(stream)
      if (guest.streams.size === 0) void this.removeLater(guest)
    }
  }

  /** Says again who is here, and forgets processes that did not. */
  renew(): void {
    const now = this.parts.clock.now()
    for (const [process, { until }] of this.others) if (until <= now) this.forget(process)
    this.announce({})
  }

  close(): void {
    this.guests.clear()
    this.end()
  }

  private async removeLater(guest: Guest): Promise<void> {
    const { id } = guest.reader
    await pause(presenceLimits.lingerMs, undefined, { ref: false })
    if (guest.streams.size > 0 || this.guests.get(id) !== guest) return
    this.guests.delete(id)
    if (this.guests.size > 0) return this.tellSoon()
    this.end()
    this.parts.onEmpty()
  }

  private end(): void {
    clearTimeout(this.telling)
    this.endHearing()
    this.announce({})
  }

  private hear(text: string): void {
    const announcement = readAnnouncement(text)
    if (announcement === undefined) return
    const { process, readers, count, asks } = announcement
    if (count === 0) this.forget(process)
    else this.others.set(process, { readers, count, until: this.parts.clock.now() + presenceLimits.lifetimeMs })
    if (asks === true) this.isUntold = true
    this.wakeSoon()
  }

  private forget(process: string): void {
    if (this.others.delete(process)) this.wakeSoon()
  }

  private tellSoon(): void {
    this.isUntold = true
    this.wakeSoon()
  }

  private wakeSoon(): void {
    this.telling ??= setTimeout(() => {
      this.telling = undefined
      if (this.isUntold) this.announce({})
      this.isUntold = false
      for (const { streams } of this.guests.values()) for (const tell of streams) tell()
    }, presenceLimits.pauseMs).unref()
  }

  private announce(more: Pick<Announcement, 'asks'>): void {
    const { bus, topic, process } = this.parts
    bus.announce(topic, writeAnnouncement({ process, ...this.here(), ...more }))
  }

  private here(): Present {
    const readers = [...this.guests.values()].map(({ reader }) => reader)
    return { readers: readers.slice(0, presenceLimits.readersMax), count: readers.length }
  }
}
