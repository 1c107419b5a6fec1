// Format in which the rows of a shared store are written: a fact of the deployment, which an operator raises when every
// process runs the new release. It is raised in two steps: first it is announced, which ends processes that do not know
// the new format; when all have had time to notice, it is written.
import { setTimeout } from 'node:timers/promises'
import { limits } from '../limits.js'
import type { DeploymentFacts } from './deployment-facts.js'
import { StoreUnfit } from './postgres/unfit.js'
import { newestFormat, oldestWrittenFormat } from './row-formats.js'

/** Names of the facts with the format that is written, and the one that is announced. */
export const formatFacts = { written: 'row format', announced: 'row format to come' } as const

type Facts = Pick<DeploymentFacts, 'get' | 'set'>

/** Returns the format that is written. Throws `StoreUnfit` if this server does not know it, or the announced one. */
export async function readFormats(facts: Facts): Promise<number> {
  // A deployment without the fact was begun before formats were recorded.
  const written = Number((await facts.get(formatFacts.written)) ?? 1)
  const needed = Math.max(written, Number((await facts.get(formatFacts.announced)) ?? 1))
  if (needed > newestFormat) {
    throw new StoreUnfit(
      'newer',
      `The rows of the deployment are of format ${needed}; this version of the server reads formats up to ${newestFormat}.`,
    )
  }
  if (written >= oldestWrittenFormat) return written
  throw new StoreUnfit(
    'older',
    `The rows of the deployment are of format ${written}; this version of the server writes formats ${oldestWrittenFormat} to ${newestFormat}.`,
  )
}

/** Records the newest format for a store without rows. */
export const markNewest = (facts: Facts): Promise<void> => facts.set(formatFacts.written, String(newestFormat))

/**
 * Raises the format to the newest. Returns the format before, which is the newest if nothing was to do. An interrupted
 * call can be repeated. Throws like `readFormats`.
 */
export async function raiseFormat(facts: Facts): Promise<number> {
  const before = await readFormats(facts)
  if (before === newestFormat) return before
  await facts.set(formatFacts.announced, String(newestFormat))
  await setTimeout(2 * limits.rowFormatReadMs)
  await markNewest(facts)
  return before
}

/** Follows the format of the deployment. */
export class WrittenFormat {
  private timer: NodeJS.Timeout | undefined

  private constructor(private written: number) {}

  /** `onUnfit`: called once when the format is raised beyond what this server knows. Throws like `readFormats`. */
  static async watch(facts: Facts, onUnfit: (error: StoreUnfit) => void): Promise<WrittenFormat> {
    const format = new WrittenFormat(await readFormats(facts))
    const read = async () => {
      try {
        format.written = await readFormats(facts)
      } catch (error) {
        if (!(error instanceof StoreUnfit)) return // The store cannot be reached, and is read again.
        format.close()
        onUnfit(error)
      }
    }
    format.timer = setInterval(read, limits.rowFormatReadMs).unref()
    return format
  }

  get current(): number {
    return this.written
  }

  close(): void {
    clearInterval(this.timer)
  }
}
