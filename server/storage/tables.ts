// Typed access to the store: one table per kind of row.
import type { DecodedRows } from './decoded-rows.js'
import type { RowKind } from './row-kind.js'
import { rowKinds } from './row-kinds.js'
import type { Store, Value } from './store.js'
import { type Slot, Table } from './table.js'

export type { Slot } from './table.js'

type Rows<Slots extends readonly ReadSlot[]> = {
  readonly [Index in keyof Slots]: Slots[Index] extends { decode(value: Value): infer Row } ? Row | undefined : never
}

type ReadSlot = Pick<Slot<unknown>, 'key' | 'decode'>

export class Tables {
  readonly tenantIds = this.over(rowKinds.tenantIds)
  readonly tenants = this.over(rowKinds.tenants)
  readonly documentIds = this.over(rowKinds.documentIds)
  readonly documents = this.over(rowKinds.documents)
  readonly uploadKeys = this.over(rowKinds.uploadKeys)
  readonly contents = this.over(rowKinds.contents)
  readonly versions = this.over(rowKinds.versions)
  readonly versionShas = this.over(rowKinds.versionShas)
  readonly pageFacts = this.over(rowKinds.pageFacts)
  readonly publishedAuthorship = this.over(rowKinds.publishedAuthorship)
  readonly layers = this.over(rowKinds.layers)
  readonly overlays = this.over(rowKinds.overlays)
  readonly pagePins = this.over(rowKinds.pagePins)
  readonly audits = this.over(rowKinds.audits)
  readonly answers = this.over(rowKinds.answers)
  readonly authorship = this.over(rowKinds.authorship)
  readonly withholdings = this.over(rowKinds.withholdings)
  readonly signings = this.over(rowKinds.signings)
  readonly shares = this.over(rowKinds.shares)
  readonly shareIds = this.over(rowKinds.shareIds)
  readonly tenantShares = this.over(rowKinds.tenantShares)
  readonly revocations = this.over(rowKinds.revocations)
  readonly usage = this.over(rowKinds.usage)
  readonly storage = this.over(rowKinds.storage)
  readonly views = this.over(rowKinds.views)
  readonly expiries = this.over(rowKinds.expiries)
  readonly retirements = this.over(rowKinds.retirements)
  readonly sweeps = this.over(rowKinds.sweeps)

  constructor(
    readonly store: Store,
    readonly decoded?: DecodedRows,
  ) {}

  /** Returns rows of several tables from one moment, in the order of the slots. */
  async getMany<const Slots extends readonly ReadSlot[]>(slots: Slots): Promise<Rows<Slots>> {
    const values = await this.store.getMany(slots.map(({ key }) => key))
    const rows: readonly unknown[] = slots.map(({ decode }, index) => {
      const value = values[index]
      return value && decode(value)
    })
    // TypeScript cannot verify that the mapped tuple matches the slots.
    return rows as Rows<Slots>
  }

  private over<Parts extends readonly (string | number)[], Row>(kind: RowKind<Parts, Row>): Table<Parts, Row> {
    // `this` is passed instead of the store, because fields are initialised before the store is assigned.
    return new Table(this, kind)
  }
}
