// Something the reader asked for, while it is being done.
import { useState } from 'preact/hooks'

export interface Work {
  readonly isBusy: boolean
  /** Undefined if the last attempt succeeded. */
  readonly problem: unknown
  /** Does it, unless something is being done already. Never throws. */
  run(task: () => Promise<void>): Promise<void>
}

export function useWork(): Work {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()
  const run = async (task: () => Promise<void>) => {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    try {
      await task()
    } catch (error) {
      setProblem(error)
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, problem, run }
}
