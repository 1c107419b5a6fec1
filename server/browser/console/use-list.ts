// A list that the server answers page by page, newest first.
import { useCallback, useEffect, useState } from 'preact/hooks'

export interface ListPage<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

export interface List<Item> {
  /** Undefined until the first page has arrived. */
  readonly items: readonly Item[] | undefined
  readonly problem: unknown
  readonly isLoading: boolean
  /** Undefined on the first page. */
  readonly newer: (() => void) | undefined
  /** Undefined on the last page. */
  readonly older: (() => void) | undefined
  reload(): void
}

interface State<Item> {
  readonly page: ListPage<Item> | undefined
  readonly problem: unknown
  readonly isLoading: boolean
}

type ReadPage<Item> = (cursor: string | undefined, signal: AbortSignal) => Promise<ListPage<Item>>

/** `read` has to be memoized: another function begins at the first page. */
export function useList<Item>(read: ReadPage<Item>): List<Item> {
  const [round, setRound] = useState(0)
  const [walk, setWalk] = useState<{ readonly read: ReadPage<Item>; readonly cursors: readonly string[] }>({
    read,
    cursors: [],
  })
  const cursors = walk.read === read ? walk.cursors : []
  const cursor = cursors.at(-1)
  const [{ page, problem, isLoading }, setState] = useState<State<Item>>({
    page: undefined,
    problem: undefined,
    isLoading: true,
  })
  useEffect(() => {
    const controller = new AbortController()
    setState((before) => ({ ...before, isLoading: true }))
    read(cursor, controller.signal).then(
      (next) => setState({ page: next, problem: undefined, isLoading: false }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState({ page: undefined, problem: error, isLoading: false })
      },
    )
    return () => controller.abort()
  }, [read, cursor, round])
  const next = page?.nextCursor ?? undefined
  return {
    items: page?.items,
    problem,
    isLoading,
    newer: cursor === undefined ? undefined : () => setWalk({ read, cursors: cursors.slice(0, -1) }),
    older: next === undefined ? undefined : () => setWalk({ read, cursors: [...cursors, next] }),
    reload: useCallback(() => setRound((before) => before + 1), []),
  }
}
