// Staging folder of one process, where several processes may use one data folder: emptying it at the start must not
// remove the files of another process.
import { mkdir, readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { hasCode } from '../../core/ports/disk.js'
import { nodeFiles } from './files.js'

/** Creates the folder, and removes those of processes of this machine that have ended. */
export async function ownStaging(parent: string): Promise<string> {
  const machine = hostname().replace(/[^A-Za-z0-9-]/g, '-')
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of await readdir(parent)) {
    const [, owner, pid] = /^(.*)\.(\d+)$/.exec(name) ?? []
    if (owner === machine && !isRunning(Number(pid))) await nodeFiles.remove(join(parent, name))
  }
  return join(parent, `${machine}.${process.pid}`)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}
