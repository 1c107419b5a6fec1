// One attempt of an asynchronous import: claim, transfer, publication; or the record of its failure.
import { setTimeout as sleep } from 'node:timers/promises'
import { importedBlob } from '../documents/blob-names.js'
import { removeLate } from '../documents/late-blobs.js'
import { publishUpload } from '../documents/publish.js'
import { limits } from '../limits.js'
import type { OpenedFile } from '../operation/connections.js'
import type { Deployment } from '../operation/deployment.js'
import { refuseTenantFull } from '../operation/storage-bounds.js'
import { isGone, Refusal } from '../refusals/refusal.js'
import { type ImportFailure, importFailures } from '../rows/import.js'
import type { BlobFacts } from '../storage/blobs.js'
import { documentLease } from '../storage/removals.js'
import { tenantTopic } from '../storage/tenant-topic.js'
import { SourceTooLarge } from './failures.js'
import {
  type Claim,
  ClaimLost,
  endClaim,
  failImport,
  type ImportName,
  postpone,
  recordObserved,
  releaseClaim,
  renewClaim,
  takeClaim,
  uncountAttempt,
} from './import-claim.js'
import { mismatch, receiveFile } from './receive-file.js'

export interface ImportBounds {
  readonly claimMs: number
  readonly renewalMs: number
  readonly pollMs: number
  readonly retryMinMs: number
  readonly retryMaxMs: number
}

export interface Attempt {
  readonly bounds: ImportBounds
  /** Signal that is aborted when this process stops. */
  readonly stopping: AbortSignal
}

/** Works on an import. Returns false if it was not due. Rejects only when the store fails. */
export async function runImport(deployment: Deployment, name: ImportName, attempt: Attempt): Promise<boolean> {
  const { bounds, stopping } = attempt
  // The lease keeps processes from colliding; the claim decides.
  const claim = await deployment.leases.hold(
    `import:${name.document}`,
    () => takeClaim(deployment, name, bounds.claimMs),
    stopping,
  )
  if (!claim) return false
  const work = new AbortController()
  const renewing = keepClaim(deployment, claim, { bounds, work })
  const stop = () => work.abort(new Interrupted('The server is stopping'))
  stopping.addEventListener('abort', stop, { once: true })
  if (stopping.aborted) stop()
  try {
    const facts = await transfer(deployment, claim, work.signal)
    work.signal.throwIfAborted()
    await publish(deployment, claim, facts)
  } catch (error) {
    await settle(deployment, claim, { error: work.signal.aborted ? work.signal.reason : error, bounds })
  } finally {
    stopping.removeEventListener('abort', stop)
    work.abort()
    await renewing
  }
  return true
}

/** This process gave the attempt up; another one may continue at once. */
class Interrupted extends Error {}

/** Renews the claim until the work ends, and aborts the work when the claim is lost. */
async function keepClaim(
  deployment: Deployment,
  claim: Claim,
  { bounds, work }: { readonly bounds: ImportBounds; readonly work: AbortController },
): Promise<void> {
  const { signal } = work
  let wake = () => {}
  // Suspension and deletion end the work at once.
  const unsubscribe = deployment.bus.subscribe(tenantTopic(claim.tenant), () => wake())
  try {
    while (!signal.aborted) {
      const woken = new AbortController()
      wake = () => woken.abort()
      await sleep(bounds.renewalMs, undefined, { signal: AbortSignal.any([signal, woken.signal]), ref: false }).catch(
        () => {},
      )
      if (signal.aborted) return
      await renewClaim(deployment, claim, bounds.claimMs).catch((error: unknown) => {
        // After any other failure the claim may still stand; whether it does is decided at the commit.
        if (error instanceof ClaimLost || isGone(error)) work.abort(error)
        else deployment.log.warn({ err: error }, 'the claim on an import could not be renewed')
      })
    }
  } finally {
    unsubscribe()
  }
}

async function transfer(deployment: Deployment, claim: Claim, signal: AbortSignal): Promise<BlobFacts> {
  const { blobs, config, connections } = deployment
  const { connection: id, key, revision } = claim.row
  const connection = connections.find(id, claim.owner.id)
  const file = { key, revision }
  if (!connection?.allows(file)) throw new NotAllowed('The connection does not allow this import any more')
  const bounds = { sizeBytesMax: config.documentBytesMax, totalMs: limits.backgroundImportDeadlineMs, signal }
  return connection.read(file, bounds, async (opened) => {
    await requireSameFile(deployment, claim, opened)
    const reserved = claim.expected.sizeBytes ?? 0
    await refuseTenantFull(
      { deployment, tenant: { internal: claim.tenant, row: claim.owner } },
      opened.sizeBytes - reserved,
    )
    const name = { tenant: claim.tenant, document: claim.document, name: importedBlob(claim.row.id) }
    return receiveFile(blobs, name, { opened, expected: claim.expected })
  })
}

class NotAllowed extends Error {}
class SourceChanged extends Error {}

/** Attempts of one import write the same file, so all of them must read the same bytes. */
async function requireSameFile(deployment: Deployment, claim: Claim, { sizeBytes, tag }: OpenedFile): Promise<void> {
  const { observed } = claim.row
  if (observed === null) return recordObserved(deployment, claim, { sizeBytes, tag })
  // A file without a tag is identified by `expected.sha256`.
  if (tag !== null && (tag !== observed.tag || sizeBytes !== observed.sizeBytes)) {
    throw new SourceChanged('The file was replaced between two attempts')
  }
}

async function publish(deployment: Deployment, claim: Claim, facts: BlobFacts): Promise<void> {
  const { tenant, document, row } = claim
  await deployment.leases.hold(documentLease(document), () =>
    publishUpload(deployment, {
      tenant,
      document,
      facts,
      uploadName: importedBlob(row.id),
      async fence(transaction) {
        await endClaim(deployment, transaction, claim)
        const now = await transaction.read(deployment.tables.documents.at([tenant, document]))
        const { sizeBytes = null, sha256 = null } = now?.expected ?? {}
        // A repeated request may have named them while the bytes were fetched.
        if (sizeBytes !== null && sizeBytes !== facts.sizeBytes) throw mismatch('sizeBytes')
        if (sha256 !== null && sha256 !== facts.sha256) throw mismatch('sha256')
      },
    }),
  )
}

/** Records why the attempt ended. */
async function settle(
  deployment: Deployment,
  claim: Claim,
  { error, bounds }: { readonly error: unknown; readonly bounds: ImportBounds },
): Promise<void> {
  const { log } = deployment
  const { attempts, connection } = claim.row
  try {
    if (isGone(error)) return void (await removeLate(deployment, claim))
    if (error instanceof ClaimLost || error instanceof Interrupted) return await releaseClaim(deployment, claim)
    const reason =
      finalReasonOf(error) ?? (attempts >= limits.importAttemptsMax ? importFailures.unavailable : undefined)
    const failure = { code: codeOf(error), connection, attempts, reason, ...(isBug(error) ? { err: error } : {}) }
    log.warn(failure, reason === undefined ? 'an import failed and will be tried again' : 'an import failed')
    if (reason === undefined) {
      const delayMs = Math.min(bounds.retryMinMs * 2 ** (attempts - 1), bounds.retryMaxMs)
      return await postpone(deployment, claim, { code: codeOf(error), delayMs })
    }
    await failImport(deployment, claim, reason)
    // The bytes of a failed document are never read.
    await deployment.blobs.remove({ ...owner(claim), name: importedBlob(claim.row.id) })
  } catch (late) {
    if (isGone(late)) await removeLate(deployment, claim)
    else if (late instanceof ClaimLost) await returnAttempt(deployment, claim)
    else throw late
  }
}

async function returnAttempt(deployment: Deployment, claim: Claim): Promise<void> {
  try {
    await uncountAttempt(deployment, claim)
  } catch (error) {
    if (!isGone(error)) throw error
  }
}

const owner = ({ tenant, document }: Claim): ImportName => ({ tenant, document })

/** Returns the reason to fail the document with; undefined if another attempt may succeed. */
function finalReasonOf(error: unknown): ImportFailure | undefined {
  if (error instanceof NotAllowed) return importFailures.refused
  if (error instanceof SourceChanged) return importFailures.changed
  if (error instanceof SourceTooLarge) return importFailures.tooLarge
  if (!(error instanceof Refusal)) return undefined
  return finalCodes.get(error.code)
}

const finalCodes: ReadonlyMap<string, ImportFailure> = new Map([
  ['SourceRefused', importFailures.notFound],
  ['ImportRefused', importFailures.refused],
  ['UploadMismatch', importFailures.mismatch],
])

const codeOf = (error: unknown): string =>
  error instanceof Refusal ? error.code : error instanceof Error ? error.name : 'Error'

const isBug = (error: unknown): boolean => !(error instanceof Refusal) && finalReasonOf(error) === undefined
