// Resident memory of a process, from /proc.
import { existsSync, readFileSync } from 'node:fs'

/** Reason why memory tests are skipped; false if they are not. */
export const withoutMemory = existsSync('/proc/self/status') ? false : 'memory is read from /proc'

/** Returns by how many bytes the memory of a process grows above its initial size. */
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
