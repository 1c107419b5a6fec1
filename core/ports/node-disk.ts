// The file system, through Node's `fs`.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { link, mkdir, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { type Appender, type Disk, type FileStatus, hasCode } from './disk.js'

const permissionBits = 0o777

/** Flag that flushes every write at once, on systems that support it. It saves one of two calls in the thread pool. */
const synchronously: number | undefined = constants.O_DSYNC
const { O_APPEND, O_CREAT, O_TRUNC, O_WRONLY } = constants
/** Flag that refuses a symbolic link: somebody else may have laid it where a file is about to be written. Windows has none. */
const withoutLink: number = constants.O_NOFOLLOW ?? 0

export const nodeDisk: Disk = {
  read: (path) => readFile(path),
  async status(path): Promise<FileStatus | null> {
    try {
      const found = await stat(path)
      return {
        kind: found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other',
        sizeBytes: found.size,
        mode: found.mode & permissionBits,
        ...(found.ino === 0 ? {} : { id: String(found.ino) }),
      }
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
      throw error
    }
  },
  realPath: (path) => realpath(path),
  list: async (path) => (await readdir(path)).sort(),
  write: (path, bytes, { mode }) => writeAndFlush(path, O_WRONLY | O_CREAT | O_TRUNC | withoutLink, bytes, mode),
  create: (path, bytes, { mode }) => createWhole(path, bytes, mode),
  async append(path, { mode }): Promise<Appender> {
    const handle = await open(path, O_WRONLY | O_CREAT | O_APPEND | withoutLink | (synchronously ?? 0), mode)
    return {
      async write(bytes) {
        for (let written = 0; written < bytes.length; ) written += (await handle.write(bytes, written)).bytesWritten
      },
      flush: () => (synchronously === undefined ? handle.datasync() : Promise.resolve()),
      close: () => handle.close(),
    }
  },
  rename: (from, to) => rename(from, to),
  remove: (path) => rm(path, { force: true }),
  createFolder: async (path) => void (await mkdir(path, { recursive: true })),
  async flushFolder(path) {
    if (process.platform === 'win32') return // Windows cannot flush a folder; NTFS logs renames itself.
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
}

export { hasCode }

/**
 * Creates a file that appears with all of its content: it is written under another name, then linked. Otherwise a
 * concurrent reader, or a run after a crash, could read an incomplete lock file.
 */
async function createWhole(path: string, bytes: Uint8Array, mode: number): Promise<boolean> {
  const unfinished = `${path}~${randomUUID()}`
  try {
    await writeAndFlush(unfinished, 'wx', bytes, mode)
    await link(unfinished, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    if (hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) return createInPlace(path, bytes, mode)
    throw error
  } finally {
    await rm(unfinished, { force: true })
  }
}

/**
 * Creates a file on file systems without hard links (FAT, some network shares): still exclusively, but a crash can
 * leave it incomplete.
 */
async function createInPlace(path: string, bytes: Uint8Array, mode: number): Promise<boolean> {
  try {
    await writeAndFlush(path, 'wx', bytes, mode)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

async function writeAndFlush(path: string, flags: string | number, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await open(path, flags, mode)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
