// Opens state: for reading, which writes nothing, or for changes, under the lock and with a journal.
import type { Diagnostic } from '../diagnostic.js'
import type { Clock } from '../ports/clock.js'
import type { Host } from '../ports/host.js'
import { diagnostic } from '../problems/index.js'
import { findStateFiles } from './files.js'
import { holderText, isDead, readHolder } from './holder.js'
import { load, type OpenOptions, type State } from './load.js'
import { acquireLock, type Holder, type LockOptions, unlock } from './lock.js'
import { StateWriter } from './writer.js'

export type { OpenOptions, State } from './load.js'
export type { StateWriter } from './writer.js'

export interface WriteOptions extends OpenOptions {
  readonly host: Host
  readonly clock: Clock
  /** Name of the command, which other processes that find the lock report: `agents apply`. */
  readonly command: string
}

/**
 * Reads state with the journal folded in, in memory only. The journal may belong to an interrupted or a running
 * command.
 */
export async function openState(options: OpenOptions & { readonly host: Host }): Promise<State> {
  const { contents, saved, notes, files, hasJournal } = await load(options)
  const holder = hasJournal ? await readHolder(options.disk, files.lock) : undefined
  const isAtWork = holder !== undefined && holder !== 'unreadable' && !(await isDead(holder, options.host))
  return { ...contents, isNew: saved === undefined, notes: isAtWork ? notes.map(atWork(holder)) : notes }
}

/** Turns warnings about a journal into notes while its writer runs, because then they describe nothing unusual. */
function atWork(holder: Holder): (note: Diagnostic) => Diagnostic {
  const detail = `${holderText(holder)} has held the lock since ${holder.since}.`
  return (note) => (note.code === 'state.taken-up' ? diagnostic('state.in-progress', { detail }) : note)
}

/** Acquires the lock, and folds the journal of an interrupted run into the state file. The caller closes the result. */
export async function openForWriting(options: WriteOptions): Promise<StateWriter> {
  const lock = await acquireLock({ ...options, ...(await lockFile(options)) })
  try {
    const writer = new StateWriter({ ...(await load(options)), disk: options.disk, lock })
    await writer.foldInterruptedRun()
    return writer
  } catch (error) {
    // Only the first failure is reported. The lock remains, and the next run recognises that its holder is dead.
    await Promise.allSettled([lock.release()])
    throw error
  }
}

/** Folds the journal of an interrupted run into the state file. Writes nothing if there is none. */
export async function foldInterrupted(options: WriteOptions): Promise<void> {
  const { hasJournal } = await load(options)
  if (hasJournal) await (await openForWriting(options)).close()
}

/** Removes the lock of a dead run, see `unlock`. Returns the holder; undefined if there was none. */
export async function unlockState(
  options: Omit<LockOptions, 'path'> & Pick<OpenOptions, 'folder' | 'fileName'>,
): Promise<Holder | 'unreadable' | undefined> {
  return unlock({ ...options, ...(await lockFile(options)) })
}

async function lockFile(
  options: Pick<OpenOptions, 'disk' | 'folder' | 'fileName'>,
): Promise<Pick<LockOptions, 'path' | 'access'>> {
  const { lock: path, access } = await findStateFiles(options.disk, options)
  return { path, access }
}
