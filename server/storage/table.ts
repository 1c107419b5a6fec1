// Table of the rows of one kind. Reads return typed rows; writes take slots and go through transactions.

import { type DecodedRows, decodedKey } from './decoded-rows.js'
import type { Key } from './keys.js'
import type { KeyPrefix, Reference, RowKind } from './row-kind.js'
import type { Entry, Store, Value } from './store.js'

/** Address of one row, whether or not the row exists. */
export interface Slot<Row> {
  readonly key: Key
  readonly table: string
  decode(value: Value): Row
  encode(row: Row): Value
  /** Returns the index rows that point to this one, which are written and removed with it. */
  indexes(row: Row): readonly Entry[]
  /** Tenant and document that must exist when the row is written. */
  readonly owners: readonly Reference[]
}

export interface StoredRow<Parts, Row> {
  readonly key: Parts
  readonly row: Row
}

export interface RangeOptions<Parts> {
  /** True = last key first. */
  readonly isReversed?: boolean
  readonly limit?: number
  /** Continues after this key, in the direction of reading. */
  readonly after?: Parts
  /** Ends after the keys that begin with these parts. Not with `isReversed`. */
  readonly through?: KeyPrefix<Parts extends readonly unknown[] ? Parts : never>
}

export class Table<Parts extends readonly (string | number)[], Row> {
  constructor(
    private readonly within: { readonly store: Store; readonly decoded?: DecodedRows | undefined },
    readonly kind: RowKind<Parts, Row>,
  ) {}

  at(parts: Parts): Slot<Row> {
    const { kind } = this
    const key = kind.key(parts)
    return {
      key,
      table: kind.name,
      decode: (value) => this.decoded({ key, value }),
      encode: (row) => kind.encode(key, row),
      indexes: (row) => kind.indexes(parts, row),
      owners: kind.owners(parts),
    }
  }

  async get(parts: Parts): Promise<Row | undefined> {
    const key = this.kind.key(parts)
    const value = await this.within.store.get(key)
    return value && this.decoded({ key, value })
  }

  /** Decodes a row. Rows of ranges are not cached, because a long walk would evict rows that every request reads. */
  private decoded(entry: Entry): Row {
    const { decoded } = this.within
    if (decoded === undefined) return this.kind.decode(entry)
    const key = decodedKey(entry)
    const cached = decoded.get(key)
    if (cached !== undefined) return cached.row as Row // Keys contain the name of the table, so the row is of this kind.
    const row = this.kind.decode(entry)
    decoded.set(key, { row })
    return row
  }

  /** Yields keys without reading rows. */
  async *keys(prefix: KeyPrefix<Parts>): AsyncIterable<Parts> {
    for await (const { key } of this.within.store.range(this.kind.prefix(prefix))) {
      const parts = this.kind.parts(key)
      if (parts) yield parts
    }
  }

  async *range(prefix: KeyPrefix<Parts>, options: RangeOptions<Parts> = {}): AsyncIterable<StoredRow<Parts, Row>> {
    const { isReversed = false, limit, after, through } = options
    const { from, to } = this.kind.prefix(prefix)
    const edge = after && this.kind.key(after)
    const end = through ? this.kind.prefix(through).to : to
    const entries = this.within.store.range({
      from: edge && !isReversed ? behind(edge) : from,
      to: edge && isReversed ? edge : end,
      isReversed,
      ...(limit === undefined ? {} : { limit }),
    })
    for await (const entry of entries) {
      const key = this.kind.parts(entry.key)
      // A key of no known form is damage, which `--check` reports.
      if (key) yield { key, row: this.kind.decode(entry) }
    }
  }
}

/** Returns the first possible key after this one. */
function behind(key: Key): Key {
  const next = new Uint8Array(key.length + 1)
  next.set(key)
  return next
}
