// Works on asynchronous imports in the background, in every process: finds due ones tenant by tenant, so that a tenant
// with many does not delay others, and works on a bounded number at once.
import { BackgroundRounds } from '../concurrency/background-rounds.js'
import { furthestDue, inSuccession } from '../concurrency/due-times.js'
import { FairPlaces } from '../concurrency/fair-places.js'
import { limits } from '../limits.js'
import { tenantAccountOf } from '../operation/account.js'
import type { Deployment } from '../operation/deployment.js'
import { isGone } from '../refusals/refusal.js'
import { dueImports } from '../storage/import-row-kinds.js'
import type { Measurement } from '../storage/measurement.js'
import { transact } from '../storage/transaction.js'
import type { ImportName } from './import-claim.js'
import { importTopic } from './import-topic.js'
import { type ImportBounds, runImport } from './run-import.js'

export const defaultImportBounds: ImportBounds = {
  claimMs: limits.importClaimMs,
  renewalMs: limits.importClaimRenewalMs,
  pollMs: limits.importPollMs,
  retryMinMs: limits.importRetryMinMs,
  retryMaxMs: limits.importRetryMaxMs,
}

export interface ImportWorkerOptions {
  /** True if no other process uses the store, so that claims at the start are those of an ended process. */
  readonly isAlone: boolean
  readonly bounds: ImportBounds
}

export class ImportWorker {
  private readonly places = new FairPlaces(limits.backgroundImportsAtOnceMax)
  private readonly rounds: BackgroundRounds
  /** Attempts of this process, by the internal id of the document. */
  private readonly running = new Map<string, Promise<void>>()
  readonly measurements: readonly Measurement[] = [
    {
      name: 'imports_running',
      help: 'Asynchronous imports that a process works on',
      read: () => this.running.size,
    },
  ]
  private unsubscribe = () => {}
  /** Tenant that was served last; the next round begins after it. */
  private lastTenant = ''

  constructor(
    private readonly deployment: Deployment,
    private readonly options: ImportWorkerOptions,
  ) {
    this.rounds = new BackgroundRounds({
      round: () => this.startDue(),
      onError: (error) =>
        deployment.log.error({ err: error }, 'due imports could not be read and will be searched again'),
      pauseMs: options.bounds.pollMs,
    })
  }

  async start(): Promise<void> {
    if (this.options.isAlone) await endClaims(this.deployment)
    this.unsubscribe = this.deployment.bus.subscribe(importTopic, () => this.rounds.wake())
    this.rounds.start()
  }

  /** Interrupts running attempts, which continue after the next start or in another process. */
  async stop(): Promise<void> {
    this.unsubscribe()
    await this.rounds.stop()
    await Promise.all(this.running.values())
  }

  /** Starts due imports, as far as there are places: one round over all tenants, from the one after the last. */
  private async startDue(): Promise<void> {
    const first = this.lastTenant
    for (const range of [
      { from: dueImports.prefix([first]).to, to: dueImports.all.to },
      { from: dueImports.all.from, to: dueImports.prefix([first]).to },
    ]) {
      let { from } = range
      while (this.places.count < limits.backgroundImportsAtOnceMax && !this.rounds.signal.aborted) {
        const tenant = await this.nextTenant({ from, to: range.to })
        if (tenant === undefined) break
        if (await this.startDueOf(tenant)) this.lastTenant = tenant
        from = dueImports.prefix([tenant]).to
      }
    }
  }

  /** Returns the first tenant of the range that has imports, due or not. */
  private async nextTenant(range: { readonly from: Uint8Array; readonly to: Uint8Array }): Promise<string | undefined> {
    if (Buffer.compare(range.from, range.to) >= 0) return undefined
    for await (const { key } of this.deployment.store.range({ ...range, limit: 1 })) return dueImports.parts(key)?.[0]
    return undefined
  }

  /** Returns whether an import was started. */
  private async startDueOf(tenant: string): Promise<boolean> {
    const { tables, clock } = this.deployment
    if ((await tables.tenants.get([tenant]))?.status !== 'active') return false
    let isStarted = false
    const limit = limits.backgroundImportsAtOnceMax + this.running.size
    const nowMs = clock.now()
    const after = [tenant, furthestDue(nowMs, this.options.bounds.retryMaxMs), ''] as const
    const due = [
      { through: [tenant, nowMs] as const, limit },
      { after, limit },
    ].map((part) => tables.dueImports.range([tenant], part))
    for await (const { key } of inSuccession(due)) {
      const document = key[2]
      if (this.running.has(document)) continue
      const leave = this.places.take(tenantAccountOf(tenant))
      if (leave === undefined) break
      this.running.set(document, this.attempt({ tenant, document }, leave))
      isStarted = true
    }
    return isStarted
  }

  private async attempt(name: ImportName, leave: () => void): Promise<void> {
    const { signal: stopping } = this.rounds
    let isOver = false
    try {
      isOver = await runImport(this.deployment, name, { bounds: this.options.bounds, stopping })
    } catch (error) {
      if (!stopping.aborted) this.deployment.log.error({ err: error }, 'an import stopped and will be tried again')
    } finally {
      leave()
      this.running.delete(name.document)
      // The place may serve another import. One that was not due is not searched again at once.
      if (isOver) this.rounds.wake()
    }
  }
}

/** Ends all claims, because the processes that held them have ended. */
export async function endClaims(deployment: Pick<Deployment, 'store' | 'tables' | 'leases' | 'clock'>): Promise<void> {
  const { tables, clock } = deployment
  for await (const { key, row } of tables.imports.range([])) {
    if (row.claim === null) continue
    const work = transact(deployment, async (transaction) => {
      const slot = tables.imports.at(key)
      const current = await transaction.read(slot)
      if (current?.claim) transaction.put(slot, { ...current, claim: null, dueAt: clock.now() })
    })
    // The document is being deleted.
    await work.catch((error: unknown) => {
      if (!isGone(error)) throw error
    })
  }
}
