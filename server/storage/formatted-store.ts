// Store of a deployment whose rows are written in a given format: the newest, or the previous one while processes of the
// release before may still run beside this one. Reads return rows as they are stored, because commits expect these bytes.
import { newestFormat, valueIn } from './row-formats.js'
import type { Commit, CommitOutcome, Store, Value } from './store.js'

export class FormattedStore implements Store {
  readonly get: Store['get']
  readonly getMany: Store['getMany']
  readonly range: Store['range']
  readonly forget?: NonNullable<Store['forget']>
  readonly probe: Store['probe']
  readonly close: Store['close']

  /** `written`: format in which rows are written now. */
  constructor(
    private readonly inner: Store,
    private readonly written: { readonly current: number },
  ) {
    this.get = (key) => inner.get(key)
    this.getMany = (keys) => inner.getMany(keys)
    this.range = (range) => inner.range(range)
    if (inner.forget) this.forget = async (ranges) => inner.forget?.(ranges)
    this.probe = () => inner.probe()
    this.close = () => inner.close()
  }

  async commit(commit: Commit): Promise<CommitOutcome> {
    const format = this.written.current
    return this.inner.commit(format === newestFormat ? commit : inFormat(format, commit))
  }
}

const inFormat = (format: number, commit: Commit): Commit => ({
  ...commit,
  put: commit.put.map(({ key, value }) => ({ key, value: valueIn(format, key, value) })),
  ...(commit.amend && {
    amend: commit.amend.map(({ key, change }) => ({
      key,
      change: (value: Value | undefined) => valueIn(format, key, change(value)),
    })),
  }),
})
