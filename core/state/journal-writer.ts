// Appends to the journal: changes that arrive while one flush runs share the next, so twenty cost about as much as one.
import type { Appender } from '../ports/disk.js'
import { batchText, changeLine, type StateChange } from './journal.js'

export class JournalWriter {
  private lines: string[] = []
  private appender: Appender | undefined
  /** The batch that is still taking lines. */
  private next: Promise<void> | undefined
  /** Settles when the last batch has. After a failure it stays rejected: what the file ends with is not known then. */
  private last: Promise<void> = Promise.resolve()

  /** `open` is called before the first line. */
  constructor(private readonly open: () => Promise<Appender>) {}

  /** Resolves when the change would survive a crash. Callers bound how many wait. */
  append(change: StateChange): Promise<void> {
    this.lines.push(changeLine(change))
    if (!this.next) {
      this.next = this.last.then(() => this.flushBatch())
      this.last = this.next
    }
    return this.next
  }

  /** Waits for what was appended, whether it succeeded or not: those who appended were told. */
  async close(): Promise<void> {
    await Promise.allSettled([this.last])
    await this.appender?.close()
  }

  private async flushBatch(): Promise<void> {
    this.appender ??= await this.open()
    const { lines } = this
    this.lines = []
    this.next = undefined
    await this.appender.write(new TextEncoder().encode(batchText(lines)))
    await this.appender.flush()
  }
}
