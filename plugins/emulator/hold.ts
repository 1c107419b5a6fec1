// Holding one write, so that a test can do something (kill the client, say) at an exact moment.
import { setImmediate } from 'node:timers/promises'
import type { Hold } from './knobs.js'

export interface HoldState extends Hold {
  /** Writes since the knob was set. */
  readonly seen: number
  readonly isHeld: boolean
}

export class WriteHold {
  private wanted: Hold | null = null
  private seen = 0
  private release: (() => void) | undefined
  private readonly watchers = new Set<() => void>()

  /** Lets go what is held, and starts to count anew. */
  set(hold: Hold | null): void {
    this.release?.()
    this.wanted = hold
    this.seen = 0
  }

  /** Call once per write; true when this is the one to hold. */
  counts(): boolean {
    this.seen++
    return this.wanted !== null && this.seen === this.wanted.write
  }

  get when(): Hold['when'] | undefined {
    return this.wanted?.when
  }

  get state(): HoldState | null {
    return this.wanted && { ...this.wanted, seen: this.seen, isHeld: this.release !== undefined }
  }

  /** Waits until the hold is let go; false when the client's signal aborted first. */
  async wait(signal: AbortSignal): Promise<boolean> {
    if (!(await this.released(signal))) return false
    // A client killed just before the release: the end of its connection may stand in the queue behind the request
    // that let go. Take what is queued first.
    for (let turn = 0; turn < 3 && !signal.aborted; turn++) await setImmediate()
    return !signal.aborted
  }

  private released(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (released: boolean) => {
        signal.removeEventListener('abort', onAbort)
        if (this.release === onRelease) this.release = undefined
        resolve(released)
      }
      const onAbort = () => end(false)
      const onRelease = () => end(true)
      this.release = onRelease
      if (signal.aborted) return end(false)
      signal.addEventListener('abort', onAbort, { once: true })
      for (const watcher of [...this.watchers]) watcher()
    })
  }

  /** Resolves as soon as a write is being held; false when the signal aborts first. */
  untilHeld(signal: AbortSignal): Promise<boolean> {
    if (this.release) return Promise.resolve(true)
    if (signal.aborted) return Promise.resolve(false)
    return new Promise((resolve) => {
      const end = (isHeld: boolean) => {
        this.watchers.delete(onHeld)
        signal.removeEventListener('abort', onAbort)
        resolve(isHeld)
      }
      const onHeld = () => end(true)
      const onAbort = () => end(false)
      this.watchers.add(onHeld)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }
}
