// Where state lives: fixed names beside agents.yaml, so that every command finds the same ones.
import { basename, join } from 'node:path'
import { type Problem, problem } from '../diagnostic.js'
import { type Disk, hasCode } from '../ports/disk.js'

export interface StateFiles {
  readonly folder: string
  readonly state: string
  readonly journal: string
  readonly lock: string
  /** The state file as it was before the last run that changed it. */
  readonly backup: string
  /** Exists only while one of the others is being replaced. */
  readonly temporary: string
}

/** Only their owner may read state: hashes of secrets are in it. */
export const stateMode = 0o600

export const stateLimits = {
  /** About 400,000 resources. A larger file is refused before it is read. */
  fileBytesMax: 256 * 1024 * 1024,
} as const

/** `folder` is the absolute folder of agents.yaml. */
export function stateFiles(folder: string): StateFiles {
  const path = (extension: string) => join(folder, `agents.state.${extension}`)
  return {
    folder,
    state: path('json'),
    journal: path('journal'),
    lock: path('lock'),
    backup: path('backup'),
    temporary: path('temporary'),
  }
}

/** The bytes, or undefined when there is no such file. */
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
 * Replaces a file so that a crash leaves either the old content or the new, and a failure the old. The new file is
 * readable by its owner only, whatever the old one was.
 */
export async function replaceFile(disk: Disk, files: StateFiles, path: string, bytes: Uint8Array): Promise<void> {
  try {
    await disk.remove(files.temporary) // One left by a crash would keep its own mode.
    await disk.write(files.temporary, bytes, { mode: stateMode })
    await disk.rename(files.temporary, path)
    await disk.flushFolder(files.folder)
  } catch (error) {
    await Promise.allSettled([disk.remove(files.temporary)]) // Free the space; the first failure is the one to tell.
    throw diskProblem(error, path, 'written')
  }
}

const diskFailures: Readonly<
  Record<string, { readonly code: string; readonly summary: string; readonly fix: string }>
> = {
  ENOSPC: { code: 'state.disk-full', summary: 'The disk is full', fix: 'Free some space and run the command again.' },
  EDQUOT: {
    code: 'state.disk-full',
    summary: 'The disk quota is used up',
    fix: 'Free some space and run the command again.',
  },
  EACCES: {
    code: 'state.no-permission',
    summary: 'State may not be accessed',
    fix: 'Give your user access to the file and its folder.',
  },
  EPERM: {
    code: 'state.no-permission',
    summary: 'State may not be accessed',
    fix: 'Give your user access to the file and its folder.',
  },
  EROFS: {
    code: 'state.no-permission',
    summary: 'State is on a read-only disk',
    fix: 'Run where the folder of agents.yaml is writable.',
  },
}
const otherFailure = {
  code: 'state.disk-failed',
  summary: 'The disk failed',
  fix: 'Check the disk and run the command again.',
}

/** What a person should know about a failed disk call. Problems pass unchanged. */
export function diskProblem(error: unknown, path: string, verb: 'read' | 'written'): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  const { code, summary, fix } = diskFailures[error.code] ?? otherFailure
  const outcome =
    verb === 'written' ? ' What state held before is still there, and nothing recorded so far is lost.' : ''
  return problem(code, summary, {
    detail: `${basename(path)} could not be ${verb} (${error.code}).${outcome} The file is ${path}.`,
    fix,
    cause: error,
  })
}

function tooLarge(path: string, sizeBytes: number): Problem {
  return problem('state.too-large', 'A state file is too large', {
    detail: `${path} has ${sizeBytes} bytes; at most ${stateLimits.fileBytesMax} are read.`,
    fix: 'Check what wrote it; a state file has less than 600 bytes a resource.',
  })
}
