// The file system, through Node's `fs`.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import {
  type FileHandle,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, sep } from 'node:path'
import { type Access, type Appender, type Disk, type FileStatus, hasCode } from './disk.js'

const permissionBits = 0o7777
const groupBits = 0o070
const groupShift = 3
/** Maximum number of links that lead to one another, as on Linux. */
const linksMax = 40

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
        owner: { user: found.uid, group: found.gid },
        names: found.nlink,
        ...(found.ino === 0 ? {} : { id: String(found.ino) }),
      }
    } catch (error) {
      if (hasCode(error, 'ENOENT', 'ENOTDIR')) return null
      throw error
    }
  },
  realPath: (path) => realpath(path),
  linkTarget,
  list: async (path) => (await readdir(path)).sort(),
  write: (path, bytes, access) => writeAndFlush(path, O_WRONLY | O_CREAT | O_TRUNC | withoutLink, bytes, access),
  create: (path, bytes, access) => createWhole(path, bytes, access),
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
async function createWhole(path: string, bytes: Uint8Array, access: Access): Promise<boolean> {
  const unfinished = `${path}~${randomUUID()}`
  try {
    await writeAndFlush(unfinished, 'wx', bytes, access)
    await link(unfinished, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    if (hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) return createInPlace(path, bytes, access)
    throw error
  } finally {
    await rm(unfinished, { force: true })
  }
}

/**
 * Creates a file on file systems without hard links (FAT, some network shares): still exclusively, but a crash can
 * leave it incomplete.
 */
async function createInPlace(path: string, bytes: Uint8Array, access: Access): Promise<boolean> {
  try {
    await writeAndFlush(path, 'wx', bytes, access)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

async function writeAndFlush(path: string, flags: string | number, bytes: Uint8Array, access: Access): Promise<void> {
  const handle = await open(path, flags, access.mode)
  try {
    await giveAccess(handle, access)
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Sets what the umask took away, and the owner, before there is anything to read. */
async function giveAccess(handle: FileHandle, { mode, isExact = false, owner }: Access): Promise<void> {
  if (process.platform === 'win32' || (owner === undefined && !isExact)) return
  const { uid, gid, mode: current } = await handle.stat()
  let isOfGroup = true
  if (owner && (owner.user !== uid || owner.group !== gid)) {
    // Only the superuser can give files away, but everybody can give one to a group of theirs.
    const isGiven = await isDone(handle.chown(owner.user, owner.group))
    isOfGroup = isGiven || owner.group === gid || (await isDone(handle.chown(uid, owner.group)))
  }
  // Another group gets no more than everybody has.
  const wanted = isOfGroup ? mode : mode & (~groupBits | (mode << groupShift))
  if ((current & permissionBits) !== wanted) await handle.chmod(wanted)
}

async function isDone(change: Promise<void>): Promise<boolean> {
  try {
    await change
    return true
  } catch (error) {
    if (hasCode(error, 'EPERM', 'EINVAL', 'ENOSYS', 'ENOTSUP')) return false
    throw error
  }
}

async function linkTarget(path: string): Promise<string> {
  let target = path
  for (let count = 0; ; count++) {
    const next = await linkAt(target)
    if (next === undefined) break
    if (count === linksMax) throw Object.assign(new Error(`ELOOP: too many symbolic links, ${path}`), { code: 'ELOOP' })
    // Not joined: `..` behind a linked folder leads elsewhere than the text says.
    target = isAbsolute(next) ? next : `${dirname(target)}${sep}${next}`
  }
  if (target === path) return path
  try {
    return join(await realpath(dirname(target)), basename(target))
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ENOTDIR')) return target // The folder of the target does not exist.
    throw error
  }
}

async function linkAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path)
  } catch (error) {
    if (hasCode(error, 'EINVAL', 'ENOENT', 'ENOTDIR', 'UNKNOWN')) return undefined
    throw error
  }
}
