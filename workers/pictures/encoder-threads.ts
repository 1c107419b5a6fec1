// Lowers the priority of the threads in which libvips encodes pictures, so that they do not delay threads that others
// wait for. libvips starts and ends them itself; on systems without /proc their priority is unchanged.
import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const threadsFolder = '/proc/self/task'
const threadName = 'libvips worker\n'
/** Priority higher than that of background threads and lower than that of all others. */
const encoderPriority = 5
/** Interval at which new threads are searched for while a picture is encoded. */
const intervalMs = 20

/** Runs `encode` and lowers the priority of the threads that do it. */
export async function inEncoderThreads<Answer>(encode: () => Promise<Answer>): Promise<Answer> {
  const lowered = new Set<string>()
  const timer = setInterval(() => lowerPriorities(lowered), intervalMs)
  try {
    return await encode()
  } finally {
    clearInterval(timer)
  }
}

function lowerPriorities(lowered: Set<string>): void {
  for (const thread of threads()) {
    if (lowered.has(thread) || nameOf(thread) !== threadName) continue
    lowered.add(thread)
    try {
      setPriority(Number(thread), encoderPriority)
    } catch {
      // The thread has ended meanwhile.
    }
  }
}

function threads(): readonly string[] {
  try {
    return readdirSync(threadsFolder)
  } catch {
    return []
  }
}

function nameOf(thread: string): string | undefined {
  try {
    return readFileSync(`${threadsFolder}/${thread}/comm`, 'utf8')
  } catch {
    return undefined
  }
}
