// The readers who have a layer open now. Each process knows its own, and tells the others about them; nothing is stored.
import type { Clock } from '../../core/ports/clock.js'
import type { Random } from '../../core/ports/random.js'
import type { PresentReader } from '../schemas/events.js'
import type { Bus } from '../storage/bus.js'
import { presenceLimits } from './presence-limits.js'
import { type Present, Room } from './room.js'

/** The stay of one reader in a room. */
export interface Stay {
  /** Returns everybody in the room, this reader first. */
  present(): Present
  leave(): void
}

export interface PresenceParts {
  readonly bus: Bus
  readonly clock: Clock
  readonly random: Random
}

export class Presence {
  private readonly rooms = new Map<string, Room>()
  private readonly process: string
  private renewal: NodeJS.Timeout | undefined

  constructor(private readonly parts: PresenceParts) {
    this.process = parts.random.uuid()
  }

  /** Lets a reader in, who is shown once however many streams it has. `onChange` is called when others come or go. */
  enter(topic: string, reader: PresentReader, onChange: () => void): Stay {
    const room = this.rooms.get(topic) ?? this.open(topic)
    const leave = room.enter(reader, onChange)
    return { present: () => room.present(reader.id), leave }
  }

  /** Number of rooms with readers of this process. */
  get roomCount(): number {
    return this.rooms.size
  }

  /** Takes all readers out, and tells the other processes. */
  close(): void {
    clearInterval(this.renewal)
    for (const room of this.rooms.values()) room.close()
    this.rooms.clear()
  }

  private open(topic: string): Room {
    const { bus, clock } = this.parts
    const room = new Room({ topic, bus, clock, process: this.process, onEmpty: () => this.rooms.delete(topic) })
    this.rooms.set(topic, room)
    this.renewal ??= setInterval(() => this.renew(), presenceLimits.renewalMs).unref()
    return room
  }

  /** Tells the others again who is here, and forgets processes that do not. Called at an interval. */
  renew(): void {
    for (const room of this.rooms.values()) room.renew()
  }
}
