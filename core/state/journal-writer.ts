// Appends to the journal. Changes that arrive during one flush share the next one, so that twenty cost about as much as
// one.
import { nextTick } from 'node:process'
import type { Appender } from '../ports/disk.js'
import { batchText, changeLine, type StateChange } from './journal.js'

export class JournalWriter {
  /**
   * Changes of the next batch in order. A change of a single row has the address as its key, any other change a symbol.
   */
  private changes = new Map<string | symbol, StateChange>()
  private appender: Appender | undefined
  /** The batch that still accepts changes. */
  private next: Promise<void> | undefined
  /** Settles with the last batch. After a failure it stays rejected, because the end of the file is then unknown. */
  private last: Promise<void> = Promise.resolve()

  /** Creates the writer. `open` is called before the first line is written. */
  constructor(private readonly open: () => Promise<Appender>) {}

  /** Resolves when the change would survive a crash. Callers limit how many of them wait. */
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

  /** Waits for all appended changes, whether they succeeded or not: the callers of `append` receive the failures. */
  async close(): Promise<void> {
    await Promise.allSettled([this.last])
    await this.appender?.close()
  }

  /**
   * Adds a change to the batch. Only the last change of a row in a batch is written, because no caller relies on an
   * earlier one yet.
   */
  private take(change: StateChange): void {
    const key = rowOf(change) ?? Symbol()
    this.changes.delete(key) // Changes after its old position in the batch may be older than this one.
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
 * Waits for the end of the turn of the event loop, so that all changes made in it share a batch: the row of a created
 * object, the same row with its observation, the intent of the next create (the row "apply of … new agents" of `npm run
 * bench`).
 */
function untilTurnEnds(): Promise<void> {
  return new Promise((resolve) => nextTick(resolve))
}

function rowOf({ rows, providers }: StateChange): string | undefined {
  const [address, ...others] = Object.keys(rows ?? {})
  return providers === undefined && others.length === 0 ? address : undefined
}
