// Combines several commits into one batch. The expectations of each are checked against the store and the preceding
// commits of the batch, so the outcome equals that of sequential writes.
import { sameBytes, textOf } from './bytes.js'
import type { Write } from './database.js'
import type { Key } from './keys.js'
import type { Commit, CommitOutcome, Value } from './store.js'

export interface Request {
  readonly commit: Commit
}

export interface Group {
  readonly writes: readonly Write[]
  /** Outcomes in the order of the requests. */
  readonly outcomes: readonly CommitOutcome[]
}

type Read = (keys: readonly Key[]) => readonly (Value | undefined)[]

export function judge(requests: readonly Request[], read: Read): Group {
  const current = valuesOf(requests, read)
  const writes = new Map<string, Write>()
  const outcomes = requests.map(({ commit }): CommitOutcome => {
    const holds = commit.expect.every(({ key, value }) => sameBytes(current.get(textOf(key)), value))
    if (!holds) return 'conflict'
    for (const { key, value } of commit.put) note({ type: 'put', key, value })
    for (const key of commit.delete) note({ type: 'del', key })
    for (const { key, change } of commit.amend ?? []) {
      note({ type: 'put', key, value: change(current.get(textOf(key))) })
    }
    return 'committed'
  })
  return { writes: [...writes.values()], outcomes }

  function note(write: Write): void {
    const text = textOf(write.key)
    writes.set(text, write)
    current.set(text, write.type === 'put' ? write.value : undefined)
  }
}

/** Returns the stored values of all keys that the commits expect or amend. */
function valuesOf(requests: readonly Request[], read: Read): Map<string, Value | undefined> {
  const keys = new Map(
    requests.flatMap(({ commit: { expect, amend = [] } }) =>
      [...expect, ...amend].map(({ key }) => [textOf(key), key] as const),
    ),
  )
  const values = keys.size === 0 ? [] : read([...keys.values()])
  return new Map([...keys.keys()].map((text, index) => [text, values[index]]))
}
