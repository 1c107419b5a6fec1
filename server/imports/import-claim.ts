// Claim of a worker on an asynchronous import: a random token in the import row, with an expiry that is renewed during
// the work. Every commit for the import expects the token, so a worker that was stalled and superseded commits nothing.
import { isDue } from '../concurrency/due-times.js'
import { putFailed } from '../documents/put-failed.js'
import { limits } from '../limits.js'
import type { Deployment } from '../operation/deployment.js'
import type { DocumentRow } from '../rows/document.js'
import { type ImportFailure, type ImportRow, importFailures, type ObservedSource } from '../rows/import.js'
import type { TenantRow } from '../rows/tenant.js'
import { type Transaction, transact } from '../storage/transaction.js'

export interface ImportName {
  readonly tenant: string
  readonly document: string
}

export type ClaimPorts = Pick<Deployment, 'store' | 'tables' | 'clock' | 'random'> & Partial<Pick<Deployment, 'leases'>>

export interface Claim extends ImportName {
  readonly token: string
  readonly row: ImportRow
  readonly expected: DocumentRow['expected']
  readonly owner: TenantRow
}

/** The import belongs to another worker, is over, or may not continue now; nothing was committed. */
export class ClaimLost extends Error {
  constructor(reason: 'superseded' | 'suspended') {
    super(`The import is ${reason}`)
    this.name = 'ClaimLost'
  }
}

/** Claims an import that is due. Returns undefined if there is nothing to do. */
export function takeClaim(
  deployment: ClaimPorts,
  { tenant, document }: ImportName,
  claimMs: number,
): Promise<Claim | undefined> {
  const { tables, clock, random } = deployment
  const token = random.uuid()
  return transact(deployment, async (transaction) => {
    const slot = tables.imports.at([tenant, document])
    const row = await transaction.read(slot)
    const now = clock.now()
    if (!row) return undefined
    const isFree = row.claim ? isDue(row.claim.expiresAt, now, claimMs) : isDue(row.dueAt, now, limits.importRetryMaxMs)
    if (!isFree) return undefined
    const owner = await transaction.read(tables.tenants.at([tenant]))
    const documentRow = await transaction.read(tables.documents.at([tenant, document]))
    if (owner?.status !== 'active' || !documentRow || documentRow.state === 'deleting') return undefined
    if (documentRow.state !== 'pending') {
      transaction.remove(slot)
      return undefined
    }
    if (row.attempts >= limits.importAttemptsMax) {
      // The process ended in every attempt.
      await endImport(deployment, transaction, {
        tenant,
        document,
        row: documentRow,
        reason: importFailures.unavailable,
      })
      return undefined
    }
    const claimed = { ...row, attempts: row.attempts + 1, claim: { token, expiresAt: now + claimMs } }
    transaction.put(slot, claimed)
    return { tenant, document, token, row: claimed, expected: documentRow.expected, owner }
  })
}

/** Returns the row of the import, if the claim still stands. Throws `ClaimLost`. */
async function claimedRow(
  { tables }: ClaimPorts,
  transaction: Transaction,
  { tenant, document, token }: Claim,
): Promise<ImportRow> {
  const row = await transaction.read(tables.imports.at([tenant, document]))
  if (row?.claim?.token !== token) throw new ClaimLost('superseded')
  return row
}

async function refuseSuspended({ tables }: ClaimPorts, transaction: Transaction, { tenant }: Claim): Promise<void> {
  const owner = await transaction.read(tables.tenants.at([tenant]))
  if (owner?.status === 'suspended') throw new ClaimLost('suspended')
}

/** Extends the claim. Throws `ClaimLost`, also if the tenant was suspended meanwhile. */
export async function renewClaim(deployment: ClaimPorts, claim: Claim, claimMs: number): Promise<void> {
  await transact(deployment, async (transaction) => {
    const row = await claimedRow(deployment, transaction, claim)
    await refuseSuspended(deployment, transaction, claim)
    const expiresAt = deployment.clock.now() + claimMs
    transaction.put(deployment.tables.imports.at([claim.tenant, claim.document]), {
      ...row,
      claim: { token: claim.token, expiresAt },
    })
  })
}

/** Records what the first attempt found, which later attempts must find again. */
export async function recordObserved(deployment: ClaimPorts, claim: Claim, observed: ObservedSource): Promise<void> {
  await transact(deployment, async (transaction) => {
    const row = await claimedRow(deployment, transaction, claim)
    transaction.put(deployment.tables.imports.at([claim.tenant, claim.document]), { ...row, observed })
  })
}

/** Ends the import in the commit that publishes its document. Throws `ClaimLost`. */
export async function endClaim(deployment: ClaimPorts, transaction: Transaction, claim: Claim): Promise<void> {
  await claimedRow(deployment, transaction, claim)
  await refuseSuspended(deployment, transaction, claim)
  transaction.remove(deployment.tables.imports.at([claim.tenant, claim.document]))
}

/** Gives an interrupted attempt back: it does not count, and the next one may start at once. */
export async function releaseClaim(deployment: ClaimPorts, claim: Claim): Promise<void> {
  await putUnclaimed(deployment, claim, (row, now) => ({ ...row, attempts: row.attempts - 1, dueAt: now }))
}

/**
 * Takes back the count of an attempt that lost its claim: this process neither failed nor ended. Where clocks differ, each
 * process takes the claims of the other for old ones, and the import would run out of attempts.
 */
export async function uncountAttempt(deployment: ClaimPorts, { tenant, document, row: { id } }: Claim): Promise<void> {
  const slot = deployment.tables.imports.at([tenant, document])
  await transact(deployment, async (transaction) => {
    const row = await transaction.read(slot)
    if (row?.id === id && row.attempts > 0) transaction.put(slot, { ...row, attempts: row.attempts - 1 })
  })
}

/** Schedules the next attempt. */
export async function postpone(
  deployment: ClaimPorts,
  claim: Claim,
  { code, delayMs }: { readonly code: string; readonly delayMs: number },
): Promise<void> {
  await putUnclaimed(deployment, claim, (row, now) => ({ ...row, dueAt: now + delayMs, lastFailure: code }))
}

async function putUnclaimed(
  deployment: ClaimPorts,
  claim: Claim,
  change: (row: ImportRow, nowMs: number) => ImportRow,
): Promise<void> {
  await transact(deployment, async (transaction) => {
    const row = await claimedRow(deployment, transaction, claim)
    const slot = deployment.tables.imports.at([claim.tenant, claim.document])
    transaction.put(slot, { ...change(row, deployment.clock.now()), claim: null })
  })
}

/** Fails the document. */
export async function failImport(deployment: ClaimPorts, claim: Claim, reason: ImportFailure): Promise<void> {
  const { tenant, document } = claim
  await transact(deployment, async (transaction) => {
    await claimedRow(deployment, transaction, claim)
    const row = await transaction.read(deployment.tables.documents.at([tenant, document]))
    if (row) await endImport(deployment, transaction, { tenant, document, row, reason })
  })
}

/** Both rows were read by the transaction. */
async function endImport(
  { tables, clock }: ClaimPorts,
  transaction: Transaction,
  { tenant, document, row, reason }: ImportName & { readonly row: DocumentRow; readonly reason: ImportFailure },
): Promise<void> {
  transaction.remove(tables.imports.at([tenant, document]))
  if (row.state !== 'pending') return
  await putFailed(tables, transaction, { tenant, document, row, reason, at: clock.now() })
}
