// Free disk space, checked before writes: a store whose write fails half-way is broken, but a store that refuses the
// write beforehand stays readable.
import { statfs } from 'node:fs/promises'
import type { Measurement } from './measurement.js'

export interface FreeSpace {
  /** Throws `DiskFull` if less than this is free. */
  demand(bytes: number): Promise<void>
}

export class DiskFull extends Error {
  /** Error code as used by the operating system. */
  readonly code = 'ENOSPC'

  constructor(freeBytes: number, neededBytes: number) {
    super(`Only ${freeBytes} bytes are free on the disk of the data folder; at least ${neededBytes} must stay free`)
    this.name = 'DiskFull'
  }
}

/** True if the disk is full. LevelDB reports this only in the message. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return true
  const isOfStore = 'code' in error && error.code === 'LEVEL_IO_ERROR'
  return (isOfStore && /no space left|quota exceeded/i.test(error.message)) || isDiskFull(error.cause)
}

export function freeSpaceOf(folder: string): FreeSpace {
  return {
    async demand(bytes) {
      const free = await freeBytesIn(folder)
      if (free < bytes) throw new DiskFull(free, bytes)
    },
  }
}

async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

export const freeBytesOf = (folder: string): Measurement => ({
  name: 'disk_free_bytes',
  help: 'Free bytes on the disk of the data folder',
  read: () => freeBytesIn(folder),
  aggregator: 'min',
})

/**
 * Returns a measurement that is reused for a while. It is meant for small writes, whose total during that time is far
 * below any reserve.
 */
export function rememberedFor(ms: number, freeSpace: FreeSpace, now = () => performance.now()): FreeSpace {
  let enoughBytes = 0
  let until = 0
  return {
    async demand(bytes) {
      if (bytes <= enoughBytes && now() < until) return
      until = 0
      await freeSpace.demand(bytes)
      enoughBytes = bytes
      until = now() + ms
    },
  }
}
