// Memory that a process holds, read from outside. Only where there is /proc.
import { existsSync, readFileSync } from 'node:fs'

/** Why a test of memory is skipped; false where it is not. */
export const withoutMemory = existsSync('/proc/self/status') ? false : 'memory is read from /proc'

/** How far the memory of a process rises above where it begins. */
export async function growthDuring(pid: number, work: () => Promise<void>): Promise<number> {
  const before = residentBytes(pid)
  let peak = before
  const watch = setInterval(() => {
    peak = Math.max(peak, residentBytes(pid))
  }, 20)
  await work().finally(() => clearInterval(watch))
  return peak - before
}

function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
