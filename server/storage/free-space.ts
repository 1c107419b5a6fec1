// Room on the disk, asked before it is needed: a store that runs out of it in the middle of a write is broken, one that
// refuses beforehand goes on reading.
import { statfs } from 'node:fs/promises'

export interface FreeSpace {
  /** Throws `DiskFull` when less than this is free. */
  demand(bytes: number): Promise<void>
}

export class DiskFull extends Error {
  /** As the operating system would have said. */
  readonly code = 'ENOSPC'

  constructor(freeBytes: number, neededBytes: number) {
    super(`Only ${freeBytes} bytes are free on the disk of the data folder; at least ${neededBytes} must stay free`)
    this.name = 'DiskFull'
  }
}

export function freeSpaceOf(folder: string): FreeSpace {
  return {
    async demand(bytes) {
      const { bavail, bsize } = await statfs(folder)
      if (bavail * bsize < bytes) throw new DiskFull(bavail * bsize, bytes)
    },
  }
}
