// Accepts an asynchronous import: one commit creates the pending document and the row that workers find it by.
import { randomBytes } from 'node:crypto'
import { describeDocument } from '../documents/describe.js'
import { announceDocument } from '../documents/new-document.js'
import { type TenantContext, WithStatus } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { ImportRow } from '../rows/import.js'
import { announcementOf } from './announcement.js'
import type { ImportRequest, NamedFile } from './import-source.js'
import { importTopic } from './import-topic.js'

/** Returns the answer 202, or 200 if no bytes have to be fetched. */
export async function acceptImport(request: ImportRequest, named: NamedFile, context: TenantContext) {
  const { deployment, tenant } = context
  const { tables, bus, clock } = deployment
  const { tag, document } = await announceDocument(
    {
      ...announcementOf(request),
      ttlMs: null,
      async accompany(transaction, { internal, wasPending }) {
        const slot = tables.imports.at([tenant.internal, internal])
        const row = await transaction.read(slot)
        if (row) return refuseOtherSource(row, named)
        if (wasPending) throw otherMode()
        transaction.put(slot, newImport(named, clock.now()))
      },
    },
    context,
  )
  const described = describeDocument(document.row, tenant.row.id)
  if (tag === 'deduped') return { tag: 'deduped' as const, document: described }
  bus.publish(importTopic)
  return new WithStatus(202, { tag: 'accepted', document: described })
}

const newImport = ({ connection, file }: NamedFile, nowMs: number): ImportRow => ({
  id: randomBytes(9).toString('base64url'),
  connection: connection.id,
  ...file,
  observed: null,
  attempts: 0,
  dueAt: nowMs,
  claim: null,
  lastFailure: null,
  createdAt: nowMs,
})

function refuseOtherSource(row: ImportRow, { connection, file }: NamedFile): void {
  const isSame = row.connection === connection.id && row.key === file.key && row.revision === file.revision
  if (isSame) return
  throw new Refusal('Conflict', 'This idempotencyKey was used for another document: its source differs')
}

/** The pending document of the key belongs to an import of the other mode. */
export const otherMode = () =>
  new Refusal('Conflict', 'This idempotencyKey was used for another document: its mode differs')
