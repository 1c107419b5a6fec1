// Message bus over one channel of Redis: a message is the list of topics that were published, and of announcements as
// pairs of topic and text. Listeners of this process are called without Redis. Topics that could not be sent are sent
// when Redis answers again, and listeners are called when messages may have been missed; announcements are then lost.

import { limits } from '../../limits.js'
import type { Bus } from '../bus.js'
import { MemoryBus } from '../memory-bus.js'
import type { RedisConnection } from './redis-connection.js'

type Announcement = readonly [topic: string, text: string]

/** Topic that stands for all, after more topics were published during an outage than are remembered. */
const everyTopic = '*'

export class RedisBus implements Bus {
  private readonly local = new MemoryBus()
  private readonly unsent = new Set<string>()
  private unannounced: Announcement[] = []
  private readonly channel: string
  private sending: Promise<void> | undefined
  private isClosed = false
  /** Set for a while after all listeners were called for a message. */
  private pause: NodeJS.Timeout | undefined
  private isCalledAgain = false

  constructor(private readonly connection: RedisConnection) {
    this.channel = `steward:${connection.database}:bus`
    connection.subscribe(this.channel, (message) => this.receive(message))
    connection.onUp(() => this.sendSoon())
    connection.onMessagesUp(() => this.local.publishAll())
  }

  publish(topic: string): void {
    this.local.publish(topic)
    if (this.isClosed) return
    if (this.unsent.size >= limits.busUnsentTopicsMax) {
      this.unsent.clear()
      this.unsent.add(everyTopic)
    }
    if (!this.unsent.has(everyTopic)) this.unsent.add(topic)
    this.sendSoon()
  }

  subscribe(topic: string, listener: () => void): () => void {
    return this.local.subscribe(topic, listener)
  }

  announce(topic: string, text: string): void {
    const isSendable = !this.isClosed && this.connection.commands.isUp
    if (!isSendable || this.unannounced.length >= limits.busUnsentTopicsMax) return
    this.unannounced.push([topic, text])
    this.sendSoon()
  }

  onAnnouncement(topic: string, listener: (text: string) => void): () => void {
    return this.local.onAnnouncement(topic, listener)
  }

  /** Sends what was published before, if Redis answers. */
  async close(): Promise<void> {
    clearTimeout(this.pause)
    await this.local.close()
    this.sendSoon()
    this.isClosed = true
    await this.sending
  }

  /** Publications of one turn of the event loop are sent together. */
  private sendSoon(): void {
    const isNothing = this.unsent.size === 0 && this.unannounced.length === 0
    if (this.isClosed || isNothing || !this.connection.commands.isUp) return
    this.sending ??= this.send().finally(() => {
      this.sending = undefined
    })
  }

  private async send(): Promise<void> {
    await new Promise(setImmediate)
    while (this.unsent.size > 0 || this.unannounced.length > 0) {
      const topics = [...this.unsent]
      this.unsent.clear()
      const announced = this.unannounced.splice(0, limits.busAnnouncementsMax)
      const message = JSON.stringify([this.connection.id, ...topics, ...announced])
      try {
        await this.connection.commands.run((client) => client.publish(this.channel, message))
      } catch {
        // Sent when the connection is up again.
        for (const topic of topics) this.unsent.add(topic)
        return
      }
    }
  }

  private receive(message: string): void {
    // No process sends such a message; parsing it could take seconds.
    if (message.length > limits.busMessageBytesMax) {
      this.callAll()
      return
    }
    const [sender, ...parts] = partsOf(message)
    if (sender === this.connection.id) return
    for (const part of parts) {
      if (part === everyTopic) this.callAll()
      else if (typeof part === 'string') this.local.publish(part)
      else if (isAnnouncement(part)) this.local.hear(...part)
    }
  }

  /** Calls all listeners, once a second at most. */
  private callAll(): void {
    if (this.pause !== undefined) {
      this.isCalledAgain = true
      return
    }
    this.local.publishAll()
    this.pause = setTimeout(() => {
      this.pause = undefined
      if (!this.isCalledAgain) return
      this.isCalledAgain = false
      this.callAll()
    }, limits.busCallAllIntervalMs).unref()
  }
}

/** Returns nothing for a message of another program. */
function partsOf(message: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(message)
    return Array.isArray(parsed) ? parsed : []
  } catch {
    return []
  }
}

const isAnnouncement = (part: unknown): part is Announcement =>
  Array.isArray(part) && part.length === 2 && part.every((text) => typeof text === 'string')
