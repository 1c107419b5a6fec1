// A disk with adjustable free space: a tmpfs if this process may mount one, else a folder whose free space is computed from
// its files.
import { spawnSync } from 'node:child_process'
import { readdirSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { DiskFull, type FreeSpace, freeSpaceOf } from '../../server/storage/free-space.js'
import { scratchFolder } from '../cli/scratch.js'

export interface SmallDisk {
  readonly folder: string
  readonly freeSpace: FreeSpace
  /** Sets the free space. */
  leave(freeBytes: number): void
  /** Returns the space that files take up, in bytes. */
  used(): number
}

export function smallDisk(t: Test, freeBytes: number): SmallDisk {
  const folder = scratchFolder(t, 'disk')
  const disk = mounted(t, folder) ?? simulated(folder)
  disk.leave(freeBytes)
  return disk
}

const mount = (...words: readonly string[]) => spawnSync('mount', ['-t', 'tmpfs', ...words]).status === 0

function mounted(t: Test, folder: string): SmallDisk | undefined {
  if (process.platform !== 'linux' || !mount('-o', 'size=1m', 'tmpfs', folder)) return undefined
  t.teardown(() => spawnSync('umount', ['-l', folder]))
  const used = () => {
    const { blocks, bfree, bsize } = statfsSync(folder)
    return (blocks - bfree) * bsize
  }
  return {
    folder,
    freeSpace: freeSpaceOf(folder),
    used,
    leave(freeBytes) {
      const size = used() + freeBytes
      if (!mount('-o', `remount,size=${size}`, 'tmpfs', folder)) throw new Error(`${folder} cannot have ${size} bytes`)
    },
  }
}

function simulated(folder: string): SmallDisk {
  let capacity = 0
  return {
    folder,
    freeSpace: {
      async demand(bytes) {
        const free = Math.max(0, capacity - bytesIn(folder))
        if (free < bytes) throw new DiskFull(free, bytes)
      },
    },
    used: () => bytesIn(folder),
    leave(freeBytes) {
      capacity = bytesIn(folder) + freeBytes
    },
  }
}

function bytesIn(folder: string): number {
  const paths = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)))
  return paths.reduce((sum, path) => sum + (statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0)
}
