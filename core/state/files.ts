// Paths of the state files. They are beside the project file and their names derive from its name, so that all commands
// find the same.

import { basename, join } from 'node:path'
import type { Problem } from '../diagnostic.js'
import { type Disk, hasCode } from '../ports/disk.js'
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
}

/** Mode of state files: readable by their owner only, because they contain hashes of secrets. */
export const stateMode = 0o600

export const stateLimits = {
  /** Maximum size in bytes, enough for about 400,000 resources. A larger file is refused before it is read. */
  fileBytesMax: 256 * 1024 * 1024,
} as const

export function stateFiles({ folder, fileName }: Pick<Home, 'folder' | 'fileName'>): StateFiles {
  const path = (extension: string) => join(folder, `${stateStem(fileName)}.state.${extension}`)
  return {
    folder,
    state: path('json'),
    journal: path('journal'),
    lock: path('lock'),
    backup: path('backup'),
    temporary: path('temporary'),
  }
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
 * Replaces a file. After a crash it has either the old content or the new one; after a failure, the old one. Only the
 * owner can read the new file, whatever the permissions of the old one were.
 */
export async function replaceFile(disk: Disk, files: StateFiles, path: string, bytes: Uint8Array): Promise<void> {
  try {
    await disk.remove(files.temporary) // A file left by a crash would retain its own mode.
    await disk.write(files.temporary, bytes, { mode: stateMode })
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
