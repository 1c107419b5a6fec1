// Records who read what of a document, for tenants that switched it on. Requests are not held up: rows are written together soon
// afterwards, those of one reader within some minutes in one row, and each document keeps a bounded number of them.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../core/ports/clock.js'
import { isGone } from '../refusals/refusal.js'
import type { ReadKind, ReadRow } from '../rows/read.js'
import type { Storage } from '../storage/open-storage.js'
import { transact } from '../storage/transaction.js'

const second = 1000
const minute = 60 * second

export const readLogLimits = {
  /** Rows of a document; the oldest make room. */
  rowsMax: 10_000,
  /** Requests of one kind by one reader within this time are one row. */
  joinedMs: 10 * minute,
  /** Pages that one row names; its count goes on. */
  pagesMax: 500,
  /** Time until rows are written. A process that is killed loses those of this time. */
  flushMs: 1 * second,
  retryMs: 10 * second,
  /** Entries in memory that later requests may join. */
  openEntriesMax: 10_000,
  /** Characters of the token of a share that identify it in the log: `shr_` and eight of twenty-four. */
  shareCharacters: 12,
} as const

export interface Read {
  /** Internal ids. */
  readonly tenant: string
  readonly document: string
  readonly kind: ReadKind
  readonly layerName: string | null
  readonly sub: string | null
  /** Internal id of the share of the session. */
  readonly share: string | undefined
  readonly address: string
  /** Object number of the page, if the request was about one. */
  readonly page: number | undefined
}

interface Entry {
  readonly tenant: string
  readonly document: string
  readonly shareId: string | undefined
  row: ReadRow
  /** Number of its row; undefined until it is written. */
  id: number | undefined
}

export interface ReadLogOptions {
  readonly storage: Pick<Storage, 'store' | 'tables' | 'leases'>
  readonly clock: Clock
  /** Called when rows could not be written; they are tried again with the next ones. */
  readonly onFailure: (error: unknown) => void
}

export class ReadLog {
  /** Entries that later requests may join, by reader, kind and document. */
  private readonly open = new LRUCache<string, Entry>({ max: readLogLimits.openEntriesMax })
  private dirty = new Set<Entry>()
  private timer: NodeJS.Timeout | undefined
  private writing: Promise<void> = Promise.resolve()

  constructor(private readonly options: ReadLogOptions) {}

  note(read: Read): void {
    const now = this.options.clock.now()
    const { tenant, document, kind, layerName, sub, share, address, page } = read
    const key = JSON.stringify([tenant, document, kind, layerName, sub, share, address])
    const found = this.open.get(key)
    if (found !== undefined && now - found.row.from < readLogLimits.joinedMs) {
      found.row = joined(found.row, page, now)
      this.dirty.add(found)
    } else {
      const pages = page === undefined ? [] : [page]
      const row = { kind, from: now, to: now, count: 1, sub, share: null, address, layerName, pages }
      const entry: Entry = { tenant, document, shareId: share, row, id: undefined }
      this.open.set(key, entry)
      this.dirty.add(entry)
    }
    // While nothing can be written, the newest are kept.
    if (this.dirty.size > readLogLimits.openEntriesMax) this.dirty.delete(first(this.dirty))
    this.timer ??= setTimeout(() => void this.flush(), readLogLimits.flushMs).unref()
  }

  /** Writes what was noted so far. Resolves also if that fails. */
  flush(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.writing = this.writing.then(() => this.write())
    return this.writing
  }

  close(): Promise<void> {
    return this.flush()
  }

  private async write(): Promise<void> {
    const byDocument = grouped(this.dirty)
    this.dirty = new Set()
    for (const entries of byDocument.values()) {
      try {
        await this.writeOf(entries)
      } catch (error) {
        // The document was deleted since, and its log with it.
        if (isGone(error)) continue
        for (const entry of entries) this.dirty.add(entry)
        this.options.onFailure(error)
      }
    }
    if (this.dirty.size > 0) this.timer ??= setTimeout(() => void this.flush(), readLogLimits.retryMs).unref()
  }

  private async writeOf(entries: readonly Entry[]): Promise<void> {
    const { storage } = this.options
    const [one] = entries
    if (one === undefined) return
    const { tenant, document } = one
    const { tables } = storage
    const named = await Promise.all(entries.map(async (entry) => ({ entry, row: await this.withShare(entry) })))
    const ids = await transact(storage, async (transaction) => {
      const slot = tables.readLogs.at([tenant, document])
      let { next } = (await transaction.read(slot)) ?? { next: 1 }
      const given = new Map<Entry, number>()
      for (const { entry, row } of named) {
        const isKept = entry.id !== undefined && entry.id >= next - readLogLimits.rowsMax
        const id = isKept && entry.id !== undefined ? entry.id : next
        if (id === next) {
          next += 1
          if (id > readLogLimits.rowsMax)
            transaction.erase(tables.reads.at([tenant, document, id - readLogLimits.rowsMax]))
        }
        transaction.overwrite(tables.reads.at([tenant, document, id]), row)
        given.set(entry, id)
      }
      transaction.put(slot, { next })
      return given
    })
    for (const [entry, id] of ids) entry.id = id
  }

  private async withShare({ tenant, document, shareId, row }: Entry): Promise<ReadRow> {
    if (shareId === undefined) return row
    const share = await this.options.storage.tables.shares.get([tenant, document, shareId])
    return { ...row, share: share === undefined ? null : share.id.slice(0, readLogLimits.shareCharacters) }
  }
}

function joined(row: ReadRow, page: number | undefined, now: number): ReadRow {
  const isNew = page !== undefined && !row.pages.includes(page) && row.pages.length < readLogLimits.pagesMax
  return { ...row, to: now, count: row.count + 1, pages: isNew ? [...row.pages, page] : row.pages }
}

const documentOf = ({ tenant, document }: Entry): string => `${tenant}/${document}`

function grouped(entries: Iterable<Entry>): ReadonlyMap<string, readonly Entry[]> {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) groups.set(documentOf(entry), [...(groups.get(documentOf(entry)) ?? []), entry])
  return groups
}

function first<Value>(values: ReadonlySet<Value>): Value {
  const [value] = values
  if (value === undefined) throw new Error('The set is empty')
  return value
}
