// The lock: one writer at a time. A file that names its holder, so that a holder that died is recognised and followed.
//
// Taking over from a dead holder must not let two contenders win. Every lock has a nonce of its own, and whoever wants
// to replace the lock with nonce N first takes the guard `<lock>.N`, which is a lock like any other (its holder may die
// as well), and then looks again. No nonce ever comes back, so at most one contender finds N still there.
import { basename, dirname, join } from 'node:path'
import type { Access, Disk } from '../ports/disk.js'
import { diskProblem, ownAccess } from './files.js'
import {
  contested,
  describeHolder,
  encodeHolder,
  type Holder,
  type HolderPorts,
  isDead,
  lockedBy,
  readHolder,
  stillRunning,
  unreadableLock,
} from './holder.js'

export type { Holder } from './holder.js'

export interface LockOptions extends HolderPorts {
  readonly disk: Disk
  /** Absolute path of the lock file. */
  readonly path: string
  /** Who may read the lock, and so see whether its holder still runs. Default: its owner. */
  readonly access?: Access
}

export interface Lock {
  /** Releases the lock, unless another process has acquired it since. */
  release(): Promise<void>
}

export const lockLimits = {
  /** Maximum number of attempts. Each failed one means that another process was faster and has ended since. */
  attemptsMax: 10,
  /**
   * Maximum depth of guards. A deeper one is needed for each process that died while it was replacing a lock or a
   * guard.
   */
  guardsMax: 4,
} as const

/** Throws `state.locked` when somebody else holds it, or may hold it. */
export async function acquireLock(options: LockOptions): Promise<Lock> {
  try {
    return await acquire(options, lockLimits.guardsMax)
  } catch (error) {
    throw diskProblem(error, options.path, 'written')
  }
}

/**
 * Removes a lock whose holder is dead, or cannot be checked because it is on another host or unreadable. Returns the
 * holder; undefined if there was none. A lock whose holder certainly runs is not removed.
 */
export async function unlock(options: LockOptions): Promise<Holder | 'unreadable' | undefined> {
  const { disk, path, host } = options
  try {
    const holder = await readHolder(disk, path)
    if (holder === undefined) return undefined
    if (holder === 'unreadable') {
      await disk.remove(path)
      return holder
    }
    if (holder.host === host.name && !(await isDead(holder, host))) throw stillRunning(holder)
    await underGuard(options, { of: holder, guardsLeft: lockLimits.guardsMax }, () => disk.remove(path))
    return holder
  } catch (error) {
    throw diskProblem(error, path, 'written')
  }
}

async function acquire(options: LockOptions, guardsLeft: number): Promise<Lock> {
  const { disk, path, host } = options
  const mine = await describeHolder(options)
  for (let attempt = 1; attempt <= lockLimits.attemptsMax; attempt++) {
    if (await disk.create(path, encodeHolder(mine), options.access ?? ownAccess)) return lockOf(options, mine)
    const holder = await readHolder(disk, path)
    if (holder === undefined) continue // Released since.
    if (holder === 'unreadable') throw unreadableLock(path)
    if (guardsLeft === 0 || !(await isDead(holder, host))) throw lockedBy(path, holder, host)
    const isMine = await underGuard(options, { of: holder, guardsLeft }, () => replace(options, mine))
    if (isMine) return lockOf(options, mine)
  }
  throw contested(path, lockLimits.attemptsMax)
}

/**
 * Does the work while no other process can replace this holder's lock. Returns false if one has replaced it already.
 */
async function underGuard(
  options: LockOptions,
  { of, guardsLeft }: { readonly of: Holder; readonly guardsLeft: number },
  work: () => Promise<void>,
): Promise<boolean> {
  const { disk, path } = options
  const guard = await acquire({ ...options, path: guardPath(path, of) }, guardsLeft - 1)
  try {
    const now = await readHolder(disk, path)
    if (now === undefined || now === 'unreadable' || now.nonce !== of.nonce) return false
    await work()
    return true
  } finally {
    await guard.release()
  }
}

async function replace({ disk, path, access = ownAccess }: LockOptions, mine: Holder): Promise<void> {
  const unfinished = guardPath(path, mine) // No other process knows this nonce before it is in the lock.
  await disk.write(unfinished, encodeHolder(mine), access)
  await disk.rename(unfinished, path)
  await removeGuards(disk, path)
}

/** Removes guards whose lock has been replaced, left behind by processes that died. */
async function removeGuards(disk: Disk, path: string): Promise<void> {
  const folder = dirname(path)
  const prefix = `${basename(path)}.`
  for (const name of await disk.list(folder)) {
    const isGuard = name.startsWith(prefix) && nonces.test(name.slice(prefix.length))
    if (isGuard) await disk.remove(join(folder, name)) // Files that the disk port creates temporarily have other names.
  }
}

function lockOf({ disk, path }: LockOptions, mine: Holder): Lock {
  return {
    async release() {
      try {
        const now = await readHolder(disk, path)
        if (now !== undefined && now !== 'unreadable' && now.nonce === mine.nonce) await disk.remove(path)
      } catch (error) {
        throw diskProblem(error, path, 'written')
      }
    },
  }
}

/** Suffixes of guard files: those of a guard, of the guard of a guard, and so on. */
const nonces = /^[\w-]+(\.[\w-]+)*$/

function guardPath(path: string, { nonce }: Holder): string {
  return `${path}.${nonce}`
}
