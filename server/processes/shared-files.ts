// A blob is removed only when no process of the server has a local copy of it open. Every process has the same folder.
import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.js'
import type { Channel } from './channel.js'

const release = 'files.release'

/** Serves removals: a process that wants to remove a path waits for the others. */
export class RemovalGate {
  private readonly channels = new Set<Channel>()

  /** Returns a function that leaves a process out that is gone. */
  add(channel: Channel): () => void {
    this.channels.add(channel)
    channel.handle(release, async (path: string) => {
      const others = [...this.channels].filter((other) => other !== channel)
      // A process that ended has no copies open; one that hangs is not waited for longer than its own readers are.
      const late = setTimeout(limits.pinnedBlobWaitMs, undefined, { ref: false })
      await Promise.race([late, Promise.allSettled(others.map((other) => other.call(release, path)))])
    })
    return () => this.channels.delete(channel)
  }
}

/**
 * Answers for this process, and returns what waits for the others. `released` resolves when this process has no copy open
 * at the path or below it.
 */
export function waitForOthers(
  channel: Channel,
  released: (path: string) => Promise<void>,
): (path: string) => Promise<void> {
  channel.handle(release, released)
  return (path) => channel.call(release, path)
}
