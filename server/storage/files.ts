// Port of the file system for folders of blobs, replaceable by tests that inject faults or crashes.
import { createReadStream, statSync } from 'node:fs'
import { copyFile, link, mkdir, open, opendir, rename, rm } from 'node:fs/promises'
import { hasCode } from '../../core/ports/disk.js'

export interface Sink {
  write(bytes: Uint8Array): Promise<void>
  /** Resolves when the bytes are durable. */
  sync(): Promise<void>
  close(): Promise<void>
}

export interface Files {
  /** Creates a file; fails if the path exists. */
  create(path: string): Promise<Sink>
  /** Makes a file durable that something else wrote. */
  sync(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Returns false if the folder existed already. */
  createFolder(path: string): Promise<boolean>
  /** Makes renames and removals in the folder durable. */
  syncFolder(path: string): Promise<void>
  /** Returns the size in bytes; undefined if there is no such file. */
  size(path: string): Promise<number | undefined>
  read(path: string, range: { readonly first: number; readonly last: number }): AsyncIterable<Uint8Array>
  /** Lists the names in a folder, in no particular order; none if the folder does not exist. */
  names(path: string): AsyncIterable<string>
  /** Creates a second name of the same file if the file system supports it, else a copy. */
  linkOrCopy(from: string, to: string): Promise<void>
  /** Removes a file or a folder with its contents, if it exists. */
  remove(path: string): Promise<void>
}

const folderMode = 0o700
const fileMode = 0o600
const readChunkBytes = 256 * 1024

export const nodeFiles: Files = {
  async create(path) {
    const handle = await open(path, 'wx', fileMode)
    return {
      async write(bytes) {
        for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
      },
      sync: () => handle.datasync(),
      close: () => handle.close(),
    }
  },
  async sync(path) {
    const handle = await open(path, 'r+')
    try {
      await handle.datasync()
    } finally {
      await handle.close()
    }
  },
  rename: (from, to) => rename(from, to),
  async createFolder(path) {
    try {
      await mkdir(path, { mode: folderMode })
      return true
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false
      throw error
    }
  },
  async syncFolder(path) {
    if (process.platform === 'win32') return // Windows cannot flush a folder; NTFS logs renames itself.
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
  async size(path) {
    try {
      // The call is synchronous: every write makes it, and a round trip to the thread pool costs many times as much.
      const found = statSync(path, { throwIfNoEntry: false })
      return found?.isFile() ? found.size : undefined
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return undefined
      throw error
    }
  },
  read: (path, { first, last }) => createReadStream(path, { start: first, end: last, highWaterMark: readChunkBytes }),
  async *names(path) {
    try {
      for await (const entry of await opendir(path)) yield entry.name
    } catch (error) {
      // A folder that was removed meanwhile has no names, and neither has a file where a folder is expected.
      if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
    }
  },
  async linkOrCopy(from, to) {
    try {
      await link(from, to)
    } catch (error) {
      if (!hasCode(error, 'EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw error
      await copyFile(from, to)
    }
  },
  remove: (path) => rm(path, { recursive: true, force: true, maxRetries: 3 }),
}
