// One answer of the server, read when a part is first shown.
import { useCallback, useEffect, useState } from 'preact/hooks'

export interface Loaded<Answer> {
  /** Undefined until the answer has arrived. */
  readonly answer: Answer | undefined
  readonly problem: unknown
  reload(): void
}

/** `read` has to be memoized. */
export function useAnswer<Answer>(read: (signal: AbortSignal) => Promise<Answer>): Loaded<Answer> {
  const [round, setRound] = useState(0)
  const [{ answer, problem }, setState] = useState<Pick<Loaded<Answer>, 'answer' | 'problem'>>({
    answer: undefined,
    problem: undefined,
  })
  useEffect(() => {
    const controller = new AbortController()
    read(controller.signal).then(
      (arrived) => setState({ answer: arrived, problem: undefined }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ answer: undefined, problem: error })
      },
    )
    return () => controller.abort()
  }, [read, round])
  return { answer, problem, reload: useCallback(() => setRound((before) => before + 1), []) }
}
