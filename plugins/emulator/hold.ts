// Holds one write, so that a test can act at an exact moment, such as kill the client.
import { setImmediate } from 'node:timers/promises'
import type { Hold } from './knobs.js'

export interface HoldState extends Hold {
  /** Number of writes since the knob was set. */
  readonly seen: number
  readonly isHeld: boolean
}

export class WriteHold {
  private wanted: Hold | null = null
  private seen = 0
  private release: (() => void) | undefined
  private readonly watchers = new Set<() => void>()

  /** Releases the held write and restarts the count. */
  set(hold: Hold | null): void {
    this.release?.()
    this.wanted = hold
    this.seen = 0
  }

  /** Counts a write. Returns true if it is the one to hold. */
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

  /** Waits until the hold is released; returns false if the client's signal aborted first. */
  async wait(signal: AbortSignal): Promise<boolean> {
    if (!(await this.released(signal))) return false
    // The disconnect of a client killed just before the release may be queued behind the releasing request, so queued
    // events are processed first.
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

  /** Resolves to true once a write is held, or to false if the signal aborts first. */
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
