// Wake-ups and announcements of the processes of one server: each is sent to the first process, which passes it on to
// the others.
import { MemoryBus } from '../storage/memory-bus.js'
import type { Channel } from './channel.js'

const wake = 'bus.wake'
const announcement = 'bus.announce'

/** Passes messages on: those of one process reach every other one. */
export class BusExchange {
  private readonly channels = new Set<Channel>()

  /** Returns a function that leaves a process out that is gone. */
  add(channel: Channel): () => void {
    this.channels.add(channel)
    for (const name of [wake, announcement]) {
      channel.handle(name, (...args: readonly unknown[]) => {
        for (const other of this.channels) if (other !== channel) other.notify(name, ...args)
      })
    }
    return () => this.channels.delete(channel)
  }
}

export class RemoteBus extends MemoryBus {
  constructor(private readonly channel: Channel) {
    super()
    channel.handle(wake, (topic: string) => super.publish(topic))
    channel.handle(announcement, (topic: string, text: string) => super.hear(topic, text))
  }

  override publish(topic: string): void {
    super.publish(topic)
    this.channel.notify(wake, topic)
  }

  override announce(topic: string, text: string): void {
    this.channel.notify(announcement, topic, text)
  }
}
