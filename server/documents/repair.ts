// Replaces the file of a version by a repaired copy, when a change discovers that it is damaged. Objects retain their
// numbers, so that layers, pins and undo steps still apply.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { JobRefusal } from '../../workers/contract/job-refusal.js'
import { reread } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import { notFound, Refusal } from '../refusals/refusal.js'
import type { Owner } from '../storage/large-values.js'
import { documentLease } from '../storage/removals.js'
import { rowKinds } from '../storage/row-kinds.js'
import { addHeld, isCount } from '../storage/share-count.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Tables } from '../storage/tables.js'
import { type Transaction, transact } from '../storage/transaction.js'
import { isUploaded, newWorkingBlob } from './blob-names.js'
import { baseOf, type View, viewOf, withSource } from './view.js'

/**
 * Repairs the version; the caller holds the lease of the document. Returns the reason if repair is impossible;
 * undefined after a repair.
 */
export async function repairVersion(context: DocumentContext): Promise<Refusal | undefined> {
  try {
    await repair(context)
    return undefined
  } catch (error) {
    if (error instanceof JobRefusal && error.code === 'MalformedPdf') return damaged()
    if (error instanceof Refusal && error.code === 'MalformedPdf') return error
    throw error
  }
}

/**
 * Gives each page of a version annotations of its own, if pages share some and no layer has edits of these. A file that
 * was locked at ingest is processed when its password first becomes known.
 */
export async function separatePages(context: DocumentContext): Promise<void> {
  const { deployment, document, signal } = context
  const work = async () => {
    const now = await reread(context)
    if (isUninspected(baseOf(await viewOf(now))) && !(await hasEdits(now))) await repairVersion(now)
  }
  await deployment.leases.hold(documentLease(document.internal), work, signal())
}

/** True if the file was locked at ingest, so that it was not inspected then, and has not been replaced since. */
export const isUninspected = ({ isLocked, version, blob }: View): boolean => isLocked && version > 0 && isUploaded(blob)

async function repair(context: DocumentContext): Promise<void> {
  const { deployment, tenant, document } = context
  const { tables, workers, blobs } = deployment
  const view = baseOf(await viewOf(context))
  // A file that was repaired before, or rewritten by a redaction, cannot be improved any further.
  if (view.version === 0 || !isUploaded(view.blob)) throw damaged()
  const workingPath = join(blobs.staging, `${randomUUID()}.pdf`)
  try {
    const separateFrom = view.isLocked && !(await hasEdits(context)) ? document.row.nextObject : undefined
    const { working, highestObject, highestFound } = await withSource(view, context, (source) =>
      workers.run('repair', { source, workingPath, separateFrom }),
    )
    const owner = { tenant: tenant.internal, document: document.internal }
    const name = newWorkingBlob()
    await blobs.adopt({ ...owner, name }, working.path)
    await transact(deployment, async (transaction) => {
      const slots = {
        document: tables.documents.at([owner.tenant, owner.document]),
        version: tables.versions.at([owner.tenant, owner.document, view.version]),
      }
      const [row, version] = [await transaction.read(slots.document), await transaction.read(slots.version)]
      if (row?.state !== 'ready' || !version) throw notFound('document')
      // Another process may have repaired the file too: its copy stays. An edit, or a removal of orphans that this copy may
      // be one of, must not go unnoticed.
      if (version.working !== null) return
      if (row.collected !== document.row.collected) throw collectedMeanwhile()
      const isEdited = row.nextObject !== separateFrom || row.auditId !== document.row.auditId
      if (separateFrom !== undefined && isEdited) throw editedMeanwhile()
      const { sizeBytes, sha256 } = working
      const repaired = { ...version, working: { name, sizeBytes, sha256 } }
      transaction.put(slots.version, repaired)
      const read = row.headVersion === view.version ? { readBlob: name, readBytes: sizeBytes } : {}
      // A repair may find objects that no cross-reference section lists.
      transaction.put(slots.document, { ...row, ...read, nextObject: Math.max(row.nextObject, highestObject + 1) })
      await endReservations(tables, transaction, { ...owner, highestFound })
      const added = rowKinds.versions.storedBytes(repaired) - rowKinds.versions.storedBytes(version)
      await countStored(tables, transaction, owner, added)
    })
  } finally {
    await rm(workingPath, { force: true })
  }
}

/**
 * Takes numbers of objects that the repair found out of all reservations. The lease of the document keeps others from
 * reserving meanwhile.
 */
async function endReservations(
  tables: Tables,
  transaction: Transaction,
  { tenant, document, highestFound }: Owner & { readonly highestFound: number },
): Promise<void> {
  for await (const { key } of tables.reservedNumbers.range([tenant, document])) {
    const slot = tables.reservedNumbers.at(key)
    const row = await transaction.read(slot)
    const [, , id] = key
    if (row === undefined || isCount(id) || row.ranges.every(({ first }) => first > highestFound)) continue
    let change = 0
    const ranges = row.ranges.map(({ first, count }) => {
      const lost = Math.min(count, Math.max(0, highestFound + 1 - first))
      change -= lost
      return { first: first + lost, count: count - lost }
    })
    transaction.put(slot, { ...row, ranges: ranges.filter(({ count }) => count > 0) })
    await addHeld(transaction, tables, { owner: { tenant, document }, row, change })
  }
}

/** True if any layer exists: its edits refer to pages and fields by object number, which the repair changes. */
async function hasEdits({ deployment, tenant, document }: DocumentContext): Promise<boolean> {
  for await (const _ of deployment.tables.layers.range([tenant.internal, document.internal], { limit: 1 })) return true
  return false
}

const collectedMeanwhile = (): Refusal =>
  new Refusal('RuntimeUnavailable', 'The repair of the document took too long', { retryAfterSeconds: 1 })

const editedMeanwhile = (): Refusal =>
  new Refusal('RuntimeUnavailable', 'The document was edited while it was repaired', { retryAfterSeconds: 1 })

export const damaged = (): Refusal => new Refusal('MalformedPdf', 'The document is damaged and cannot be changed')
