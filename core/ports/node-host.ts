// The machine and its processes, read from /proc where it exists, otherwise from `ps`.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { hasCode } from './disk.js'
import type { Host } from './host.js'

const psTimeoutMs = 5_000
/** Positions of fields in /proc/<pid>/stat, counted after the name in brackets, which may contain anything. */
const statFields = { state: 0, startTime: 19 } as const
/** States of processes that have ended but whose parent has not read their exit status yet. */
const deadStates: ReadonlySet<string | undefined> = new Set(['Z', 'X'])

export const nodeHost: Host = {
  name: hostname(),
  pid: process.pid,
  async processStart(pid) {
    const presence = presenceOf(pid)
    if (presence === 'none') return null
    const bootId = await readProc('sys/kernel/random/boot_id')
    if (bootId === undefined) return startFromPs(pid)
    const stat = await readProc(`${pid}/stat`)
    // The system may hide processes of other users in /proc; our own are visible as long as they live.
    if (stat === undefined) return presence === 'foreign' ? '' : null
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    // The boot id is included because start times count from the boot.
    return deadStates.has(fields[statFields.state]) ? null : `${bootId.trim()}/${fields[statFields.startTime]}`
  },
}

function presenceOf(pid: number): 'none' | 'ours' | 'foreign' {
  try {
    process.kill(pid, 0)
    return 'ours'
  } catch (error) {
    return hasCode(error, 'EPERM') ? 'foreign' : 'none'
  }
}

async function readProc(name: string): Promise<string | undefined> {
  try {
    return await readFile(`/proc/${name}`, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined
    throw error
  }
}

async function startFromPs(pid: number): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      timeout: psTimeoutMs,
    })
    return stdout.trim()
  } catch {
    // Either there is no `ps` (Windows) or the process has ended meanwhile. Its start is unknown, so it counts as the
    // same process.
    return ''
  }
}
