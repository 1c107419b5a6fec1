// The real machine: /proc where there is one, else `ps`.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'
import { hasCode } from './disk.js'
import type { Host } from './host.js'

const psTimeoutMs = 5_000
/** Where `starttime` stands in /proc/<pid>/stat, counted after the name in brackets, which may hold anything. */
const stateField = 0
const startTimeField = 19

export const nodeHost: Host = {
  name: hostname(),
  pid: process.pid,
  async processStart(pid) {
    if (!exists(pid)) return null
    return (await startFromProc(pid)) ?? (await startFromPs(pid))
  },
}

/** Asks first, because /proc may hide the processes of other users. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** Undefined when /proc does not say. The boot id is part of it, because start times count from the boot. */
async function startFromProc(pid: number): Promise<string | null | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[stateField] === 'Z' || fields[stateField] === 'X') return null // Killed; only its parent has not noticed.
    const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${bootId.trim()}/${fields[startTimeField]}`
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
    return '' // No `ps` (Windows), or the process ended meanwhile: unknown, and so taken for the same one.
  }
}
