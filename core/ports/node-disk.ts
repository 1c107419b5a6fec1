// The real disk.
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import type { Appender, Disk, FileStatus } from './disk.js'

export const nodeDisk: Disk = {
  read: (path) => readFile(path),
  async status(path): Promise<FileStatus | null> {
    try {
      const found = await stat(path)
      return { kind: found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other', sizeBytes: found.size }
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
      throw error
    }
  },
  list: async (path) => (await readdir(path)).sort(),
  write: (path, bytes, { mode }) => writeAndFlush(path, 'w', bytes, mode),
  async create(path, bytes, { mode }) {
    try {
      await writeAndFlush(path, 'wx', bytes, mode)
      return true
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false
      throw error
    }
  },
  async append(path, { mode }): Promise<Appender> {
    const handle = await open(path, 'a', mode)
    return {
      write: async (bytes) => void (await handle.appendFile(bytes)),
      flush: () => handle.datasync(),
      close: () => handle.close(),
    }
  },
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  createFolder: async (path) => void (await mkdir(path, { recursive: true })),
  async flushFolder(path) {
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
}

/** True for a Node error with one of these codes (`ENOENT`, …). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
}

async function writeAndFlush(path: string, flags: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, flags, mode)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
