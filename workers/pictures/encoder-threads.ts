// Threads in which libvips encodes pictures: it begins and ends them as it likes, at the priority of the process. A lower
// one keeps them out of the way of threads that others wait for; on systems without /proc they stay as they are.
import { readdirSync, readFileSync } from 'node:fs'
import { setPriority } from 'node:os'

const threadsFolder = '/proc/self/task'
const threadName = 'libvips worker\n'
/** Above threads in the background, below all others. */
const encoderPriority = 5
/** How often new threads are looked for while a picture is encoded. */
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
      // It ended meanwhile.
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
