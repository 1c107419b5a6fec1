// Appends to the journal: changes that arrive while one flush runs share the next, so twenty cost about as much as one.
import { nextTick } from 'node:process'
import type { Appender } from '../ports/disk.js'
import { batchText, changeLine, type StateChange } from './journal.js'

export class JournalWriter {
  /** Changes of the next batch, in order: of a single row by its address, others by a symbol of their own. */
  private changes = new Map<string | symbol, StateChange>()
  private appender: Appender | undefined
  /** The batch that is still taking changes. */
  private next: Promise<void> | undefined
  /** Settles when the last batch has. After a failure it stays rejected: what the file ends with is not known then. */
  private last: Promise<void> = Promise.resolve()

  /** `open` is called before the first line. */
  constructor(private readonly open: () => Promise<Appender>) {}

  /** Resolves when the change would survive a crash. Callers bound how many wait. */
  append(change: StateChange): Promise<void> {
    this.take(change)
    if (!this.next) {
      this.next = this.last.then(untilTurnEnds).then(() => this.flushBatch())
      this.last = this.next
    }
    return this.next
  }

  /** Resolves when everything appended so far would survive a crash. */
  flushed(): Promise<void> {
    return this.last
  }

  /** Waits for what was appended, whether it succeeded or not: those who appended were told. */
  async close(): Promise<void> {
    await Promise.allSettled([this.last])
    await this.appender?.close()
  }

  /** Nobody has relied on an earlier change of the same row yet, so that only the last one of a batch is written. */
  private take(change: StateChange): void {
    const key = rowOf(change) ?? Symbol()
    this.changes.delete(key) // What stands behind it in the batch may be older than this change.
    this.changes.set(key, change)
  }

  private async flushBatch(): Promise<void> {
    this.appender ??= await this.open()
    const changes = [...this.changes.values()]
    this.changes = new Map()
    this.next = undefined
    await this.appender.write(new TextEncoder().encode(batchText(changes.map(changeLine))))
    await this.appender.flush()
  }
}

/**
 * What one turn of the event loop brings about ends in several changes: the row of a created object, the same with what
 * was observed, the intent of the next. They become one batch (the row "apply of … new agents" of `npm run bench`).
 */
function untilTurnEnds(): Promise<void> {
  return new Promise((resolve) => nextTick(resolve))
}

function rowOf({ rows, providers }: StateChange): string | undefined {
  const [address, ...others] = Object.keys(rows ?? {})
  return providers === undefined && others.length === 0 ? address : undefined
}
