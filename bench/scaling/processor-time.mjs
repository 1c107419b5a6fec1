// Processor time of the processes that a measurement started, as the kernel counts it.
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds of one tick of the kernel's counters, the same on every Linux that Node.js runs on. */
const tickMs = 10

/** Returns the processor time of these processes in milliseconds, with that of children that have ended. */
export function processorMs(pids) {
  return pids.reduce((sum, pid) => sum + ticksOf(pid), 0) * tickMs
}

/** Returns the descendants of this process that run a program. */
export function descendants(program) {
  return childrenOf(process.pid).filter((pid) => read(pid, 'comm')?.trim() === program)
}

function childrenOf(pid) {
  const children = threadsOf(pid).flatMap((thread) =>
    (read(pid, `task/${thread}/children`) ?? '').split(' ').filter(Boolean).map(Number),
  )
  return [...children, ...children.flatMap(childrenOf)]
}

const threadsOf = (pid) => unlessEnded(() => readdirSync(`/proc/${pid}/task`)) ?? []

function ticksOf(pid) {
  // The name of the program may contain blanks; the fields behind it do not.
  const fields = (read(pid, 'stat') ?? '').split(') ').at(-1).split(' ')
  // Fields 14 to 17 of proc(5): user, system, and both for children that were waited for. The first one here is field 3.
  return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index] ?? 0), 0)
}

const read = (pid, name) => unlessEnded(() => readFileSync(`/proc/${pid}/${name}`, 'utf8'))

/** Returns undefined for a process that has ended. */
function unlessEnded(work) {
  try {
    return work()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(error.code)) return undefined
    throw error
  }
}
