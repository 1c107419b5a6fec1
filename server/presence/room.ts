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
  readonly reader: PresentReader
  /** Undefined after the reader's stream ended. */
  onChange: (() => void) | undefined
}

interface Others extends Present {
  readonly until: number
}

export class Room {
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

  present(): Present {
    const parties = [this.here(), ...this.others.values()]
    const readers = parties.flatMap((party) => party.readers).slice(0, presenceLimits.readersMax)
    return { readers, count: parties.reduce((sum, { count }) => sum + count, 0) }
  }

  enter(reader: PresentReader, onChange: () => void): void {
    // Whoever returns takes the place of the stream that ended.
    for (const [id, guest] of this.guests) {
      if (guest.onChange === undefined && guest.reader.sub === reader.sub) this.guests.delete(id)
    }
    this.guests.set(reader.id, { reader, onChange })
    this.tellSoon()
  }

  leave(id: string): void {
    const guest = this.guests.get(id)
    if (guest === undefined) return
    guest.onChange = undefined
    void this.removeLater(id)
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

  private async removeLater(id: string): Promise<void> {
    await pause(presenceLimits.lingerMs, undefined, { ref: false })
    if (!this.guests.delete(id)) return
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
      for (const { onChange } of this.guests.values()) onChange?.()
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
