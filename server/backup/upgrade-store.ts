// Raises the format in which the processes of a deployment write their rows.
import { PostgresStore } from '../storage/postgres/postgres-store.js'
import { newestFormat } from '../storage/row-formats.js'
import { raiseFormat } from '../storage/written-format.js'

export interface StoreUpgrade {
  /** Format before; the same as `to` if nothing was to do. */
  readonly from: number
  readonly to: number
}

/** Throws `StoreUnfit` for a database that cannot be used, or whose rows this version does not write. */
export async function upgradeStore(address: string): Promise<StoreUpgrade> {
  const store = await PostgresStore.open({ address })
  try {
    return { from: await raiseFormat(store.facts), to: newestFormat }
  } finally {
    await store.close()
  }
}
