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
  readonly tenantIds = this.tableOf(rowKinds.tenantIds)
  readonly tenants = this.tableOf(rowKinds.tenants)
  readonly documentIds = this.tableOf(rowKinds.documentIds)
  readonly documents = this.tableOf(rowKinds.documents)
  readonly uploadKeys = this.tableOf(rowKinds.uploadKeys)
  readonly contents = this.tableOf(rowKinds.contents)
  readonly versions = this.tableOf(rowKinds.versions)
  readonly versionShas = this.tableOf(rowKinds.versionShas)
  readonly pageFacts = this.tableOf(rowKinds.pageFacts)
  readonly publishedAuthorship = this.tableOf(rowKinds.publishedAuthorship)
  readonly layers = this.tableOf(rowKinds.layers)
  readonly overlays = this.tableOf(rowKinds.overlays)
  readonly pagePins = this.tableOf(rowKinds.pagePins)
  readonly audits = this.tableOf(rowKinds.audits)
  readonly answers = this.tableOf(rowKinds.answers)
  readonly refusals = this.tableOf(rowKinds.refusals)
  readonly authorship = this.tableOf(rowKinds.authorship)
  readonly withholdings = this.tableOf(rowKinds.withholdings)
  readonly signings = this.tableOf(rowKinds.signings)
  readonly imports = this.tableOf(rowKinds.imports)
  readonly dueImports = this.tableOf(rowKinds.dueImports)
  readonly webhooks = this.tableOf(rowKinds.webhooks)
  readonly webhookDeliveries = this.tableOf(rowKinds.webhookDeliveries)
  readonly dueDeliveries = this.tableOf(rowKinds.dueDeliveries)
  readonly deliveryLanes = this.tableOf(rowKinds.deliveryLanes)
  readonly deliveryLog = this.tableOf(rowKinds.deliveryLog)
  readonly readLogs = this.tableOf(rowKinds.readLogs)
  readonly reads = this.tableOf(rowKinds.reads)
  readonly passwordSessions = this.tableOf(rowKinds.passwordSessions)
  readonly reservedNumbers = this.tableOf(rowKinds.reservedNumbers)
  readonly storedBy = this.tableOf(rowKinds.storedBy)
  readonly shares = this.tableOf(rowKinds.shares)
  readonly shareIds = this.tableOf(rowKinds.shareIds)
  readonly tenantShares = this.tableOf(rowKinds.tenantShares)
  readonly revocations = this.tableOf(rowKinds.revocations)
  readonly usage = this.tableOf(rowKinds.usage)
  readonly storage = this.tableOf(rowKinds.storage)
  readonly views = this.tableOf(rowKinds.views)
  readonly expiries = this.tableOf(rowKinds.expiries)
  readonly retirements = this.tableOf(rowKinds.retirements)
  readonly sweeps = this.tableOf(rowKinds.sweeps)

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

  private tableOf<Parts extends readonly (string | number)[], Row>(kind: RowKind<Parts, Row>): Table<Parts, Row> {
    // `this` is passed instead of the store, because fields are initialised before the store is assigned.
    return new Table(this, kind)
  }
}
