// Folder of one process in a folder that several processes may use, for staging or local copies: emptying it at the start must
// not remove the files of another process.
import { mkdir, readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../core/ports/disk.js'
import { nodeFiles } from './files.js'

const machine = hostname().replace(/[^A-Za-z0-9-]/g, '-')

export interface OwnFolderOptions {
  /** True if only such processes use the parent: whatever else is in it is of an earlier release. Default false. */
  readonly isOnlyUse?: boolean
}

/** Names the folder, and removes those of processes of this machine that have ended. */
export async function ownFolder(parent: string, { isOnlyUse = false }: OwnFolderOptions = {}): Promise<string> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of await readdir(parent)) {
    const owner = ownerOf(name)
    const isLeft = owner === undefined ? isOnlyUse : owner.machine === machine && !isRunning(owner.pid)
    if (isLeft) await nodeFiles.remove(join(parent, name))
  }
  return join(parent, `${machine}.${process.pid}`)
}

/** Returns the path of a folder in the parent that another running process of this machine has; undefined if there is none. */
export async function findOthersFolder(parent: string): Promise<string | undefined> {
  for await (const name of nodeFiles.names(parent)) {
    const owner = ownerOf(name)
    if (owner?.machine === machine && owner.pid !== process.pid && isRunning(owner.pid)) return join(parent, name)
  }
  return undefined
}

interface Owner {
  readonly machine: string
  readonly pid: number
}

function ownerOf(name: string): Owner | undefined {
  const [, machine, pid] = /^(.*)\.(\d+)$/.exec(name) ?? []
  return machine === undefined ? undefined : { machine, pid: Number(pid) }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
