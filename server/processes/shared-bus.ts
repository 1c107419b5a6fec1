// Wake-ups of the processes of one server: each is sent to the first process, which wakes the others.
import { MemoryBus } from '../storage/memory-bus.js'
import type { Channel } from './channel.js'

const wake = 'bus.wake'

/** Serves wake-ups: those of one process reach every other one. */
export class BusExchange {
  private readonly channels = new Set<Channel>()

  /** Returns a function that leaves a process out that is gone. */
  add(channel: Channel): () => void {
    this.channels.add(channel)
    channel.handle(wake, (topic: string) => {
      for (const other of this.channels) if (other !== channel) other.notify(wake, topic)
    })
    return () => this.channels.delete(channel)
  }
}

export class RemoteBus extends MemoryBus {
  constructor(private readonly channel: Channel) {
    super()
    channel.handle(wake, (topic: string) => super.publish(topic))
  }

  override publish(topic: string): void {
    super.publish(topic)
    this.channel.notify(wake, topic)
  }
}
