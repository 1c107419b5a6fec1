// Stored bytes of tenants, remembered for a moment: a limit is checked before every write, and the counters of a tenant are
// several rows.
import type { Clock } from '../../core/ports/clock.js'
import { limits } from '../limits.js'
import type { Tables } from './tables.js'

interface Total {
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly readAt: number
}

export class TenantTotals {
  private readonly known = new Map<string, Total>()

  constructor(private readonly within: { readonly tables: Tables; readonly clock: Clock }) {}

  /** Returns the bytes that the tenant stores, with those that were granted since they were read. */
  async of(tenant: string): Promise<number> {
    const { tables, clock } = this.within
    const now = clock.now()
    const known = this.known.get(tenant)
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : now - known.readAt
    if (known !== undefined && ageMs >= 0 && ageMs < limits.totalRememberedMs) return known.bytes
    let bytes = 0
    for await (const { row } of tables.storage.range([tenant])) bytes += row.bytes
    if (this.known.size >= limits.totalsMax) this.known.clear()
    this.known.set(tenant, { bytes, readAt: now })
    return bytes
  }

  /** Adds bytes that are about to be stored, so that requests at the same time do not get the same room. */
  grant(tenant: string, bytes: number): void {
    const known = this.known.get(tenant)
    if (known !== undefined) this.known.set(tenant, { ...known, bytes: known.bytes + bytes })
  }
}
