// Paths of the state files. They are beside the project file and their names derive from its name, so that all commands
// find the same. Where the state is a symbolic link, all of them are beside its target, so that checkouts whose states
// lead to one file share its lock and journal too.

import { basename, dirname, join } from 'node:path'
import type { Problem } from '../diagnostic.js'
import { type Access, type Disk, hasCode } from '../ports/disk.js'
import { type EngineCode, problem } from '../problems/index.js'
import { type Home, stateStem } from './home.js'

export interface StateFiles {
  readonly folder: string
  readonly state: string
  readonly journal: string
  readonly lock: string
  /** State file as it was before the last run that changed it. */
  readonly backup: string
  /** Path of the new content while one of the other files is being replaced. */
  readonly temporary: string
  readonly access: Access
}

/** Access to state files by default: for their owner only, because they contain hashes of secrets. */
export const ownAccess: Access = { mode: 0o600 }
/** Bits that a state file keeps: whoever shared it with a group meant its next content as well. */
const keptBits = 0o660
/** Bits of a folder that is shared by a group: its files belong to the group, and the group may change them. */
const sharedFolder = 0o2020

export const stateLimits = {
  /** Maximum size in bytes, enough for about 400,000 resources. A larger file is refused before it is read. */
  fileBytesMax: 256 * 1024 * 1024,
} as const

export async function findStateFiles(
  disk: Disk,
  { folder, fileName }: Pick<Home, 'folder' | 'fileName'>,
): Promise<StateFiles> {
  const named = join(folder, `${stateStem(fileName)}.state.json`)
  try {
    const state = await disk.linkTarget(named)
    const base = state.replace(/\.json$/, '')
    const files = {
      folder: dirname(state),
      state,
      journal: `${base}.journal`,
      lock: `${base}.lock`,
      backup: `${base}.backup`,
      temporary: `${base}.temporary`,
      access: await accessOf(disk, state),
    }
    if (state !== named) await checkLink(disk, named, files)
    return files
  } catch (error) {
    throw diskProblem(error, named, 'read')
  }
}

/** Returns the access that the state has, or that a new one gets in its folder. */
async function accessOf(disk: Disk, state: string): Promise<Access> {
  const status = await disk.status(state)
  if (status?.mode !== undefined) {
    const mode = ownAccess.mode | (status.mode & keptBits)
    return { mode, isExact: true, ...(mode !== ownAccess.mode && status.owner ? { owner: status.owner } : {}) }
  }
  const isShared = ((await disk.status(dirname(state)))?.mode ?? 0) & sharedFolder
  return isShared === sharedFolder ? { mode: keptBits, isExact: true } : ownAccess
}

/** Refuses a link that leads to no folder, and one beside which a run left a journal that would be overlooked. */
async function checkLink(disk: Disk, named: string, { folder, state, journal }: StateFiles): Promise<void> {
  if ((await disk.status(folder))?.kind !== 'folder')
    throw problem('state.link-broken', { detail: `${named} leads to ${state}, and there is no folder ${folder}.` })
  const beside = named.replace(/\.json$/, '.journal')
  if ((await disk.status(beside)) === null || (await disk.linkTarget(beside)) === journal) return
  throw problem('state.journal-foreign', {
    detail: `${basename(named)} is a link to ${state}, whose journal lies beside that file. ${beside} was left by a run that did not follow the link. Nothing was changed.`,
    fix: `Move ${basename(beside)} beside the file that it continues, or out of the folder if its run does not concern this project.`,
  })
}

/** Returns the bytes, or undefined when there is no such file. */
export async function readIfThere(disk: Disk, path: string): Promise<Uint8Array | undefined> {
  try {
    const status = await disk.status(path)
    if (status === null) return undefined
    if (status.sizeBytes > stateLimits.fileBytesMax) throw tooLarge(path, status.sizeBytes)
    return await disk.read(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined // Removed since: a run that just ended folded its journal.
    throw diskProblem(error, path, 'read')
  }
}

/**
 * Replaces a file. After a crash it has either the old content or the new one; after a failure, the old one.
 */
export async function replaceFile(disk: Disk, files: StateFiles, path: string, bytes: Uint8Array): Promise<void> {
  try {
    await disk.remove(files.temporary) // A file left by a crash would retain its own mode.
    await disk.write(files.temporary, bytes, files.access)
    await disk.rename(files.temporary, path)
    await disk.flushFolder(files.folder)
  } catch (error) {
    // The temporary file is removed to free its space. Only the first failure is reported.
    await Promise.allSettled([disk.remove(files.temporary)])
    throw diskProblem(error, path, 'written')
  }
}

interface DiskFailure {
  readonly code: EngineCode
  /** Clearer texts for some problems, in place of those in the table. */
  readonly better?: { readonly summary: string; readonly fix?: string }
}

const diskFailures: Readonly<Record<string, DiskFailure>> = {
  ENOSPC: { code: 'state.disk-full' },
  EDQUOT: { code: 'state.disk-full', better: { summary: 'The disk quota is used up' } },
  EFBIG: {
    code: 'state.disk-full',
    better: {
      summary: 'A limit on the size of files is reached',
      fix: 'Raise it (ulimit -f), then run the command again.',
    },
  },
  EACCES: { code: 'state.no-permission' },
  EPERM: { code: 'state.no-permission' },
  ELOOP: {
    code: 'state.disk-failed',
    better: {
      summary: 'A file of the state is a symbolic link',
      fix: 'Remove the link, or put the file itself in its place.',
    },
  },
  EROFS: {
    code: 'state.no-permission',
    better: { summary: 'State is on a read-only disk', fix: 'Run where the folder of agents.yaml is writable.' },
  },
}

/** Converts a failed disk call into a problem. Problems are rethrown unchanged. */
export function diskProblem(error: unknown, path: string, verb: 'read' | 'written'): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  const { code, better }: DiskFailure = diskFailures[error.code] ?? { code: 'state.disk-failed' }
  const outcome =
    verb === 'written' ? ' What state held before is still there, and nothing recorded so far is lost.' : ''
  return problem(code, {
    ...better,
    detail: `${basename(path)} could not be ${verb} (${error.code}).${outcome} The file is ${path}.`,
    cause: error,
  })
}

function tooLarge(path: string, sizeBytes: number): Problem {
  return problem('state.too-large', {
    detail: `${path} has ${sizeBytes} bytes; at most ${stateLimits.fileBytesMax} are read.`,
  })
}
