// Erases content withheld by a redaction in bounded, idempotent steps; an interrupted erasure starts again. Its own row
// is removed last.
import { limits } from '../limits.js'
import type { AnswerRow } from '../rows/answer.js'
import type { AuditRow } from '../rows/audit.js'
import type { Content } from '../rows/content.js'
import type { WithholdingRow } from '../rows/withholding.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease, whileRemoving } from '../storage/removals.js'
import { rowKinds } from '../storage/row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Slot } from '../storage/table.js'
import { type Transaction, transact } from '../storage/transaction.js'

export type WithholdingStorage = Pick<Storage, 'store' | 'tables' | 'blobs' | 'leases'>

export interface RedactedLayer {
  readonly tenant: string
  readonly document: string
  readonly layerName: string
}

export async function withhold(storage: WithholdingStorage, layer: RedactedLayer): Promise<void> {
  const { tables } = storage
  const { tenant, document, layerName } = layer
  const slot = tables.withholdings.at([tenant, document, layerName])
  const row = await tables.withholdings.get([tenant, document, layerName])
  if (row === undefined) return
  const packs = [...(await eraseAudits(storage, layer, row)), ...(await eraseOldRefusals(storage, layer, row))]
  for (const name of new Set([...row.blobs, ...packs])) {
    await whileRemoving(storage.leases, () => storage.blobs.remove({ tenant, document, name }))
  }
  await forget(storage, layer)
  const isDone = await transact(storage, async (transaction) => {
    const now = await transaction.read(slot)
    // Another redaction happened meanwhile, so there is more to erase.
    if (now && (now.until !== row.until || now.blobs.length !== row.blobs.length)) return false
    if (now) transaction.remove(slot)
    return true
  })
  if (!isDone) await withhold(storage, layer)
}

/** Makes the store erase overwritten values that its files may still contain. */
async function forget({ store }: WithholdingStorage, { tenant, document, layerName }: RedactedLayer): Promise<void> {
  const { overlays, answers, audits } = rowKinds
  const ofLayer = [overlays, answers].map((kind) => kind.prefix([tenant, document, layerName]))
  await store.forget?.([...ofLayer, audits.prefix([tenant, document])])
}

/** Returns the blobs that contained the content. */
async function eraseAudits(
  storage: WithholdingStorage,
  { tenant, document, layerName }: RedactedLayer,
  { until }: WithholdingRow,
) {
  const { audits } = storage.tables
  const contents: Content[] = []
  const due: Slot<AuditRow>[] = []
  for await (const { key, row } of audits.range([tenant, document], { through: [tenant, document, until] })) {
    if (row.layerName !== layerName || row.content === null) continue
    contents.push(row.content)
    due.push(audits.at(key))
  }
  await inSteps(storage, { document: { tenant, document }, kind: audits.kind, due }, (row) => ({
    ...row,
    content: null,
  }))
  return contents.flatMap(packsOf)
}

/** Removes refusals that earlier releases stored with their texts, which may quote the content. */
async function eraseOldRefusals(
  storage: WithholdingStorage,
  { tenant, document, layerName }: RedactedLayer,
  { until }: WithholdingRow,
) {
  const { answers } = storage.tables
  const contents: Content[] = []
  const due: Slot<AnswerRow>[] = []
  for await (const { key, row } of answers.range([tenant, document, layerName])) {
    const { outcome } = row
    if (outcome.status !== 'refused' || outcome.auditId > until) continue
    if (outcome.content !== null) contents.push(outcome.content)
    due.push(answers.at(key))
  }
  await inSteps(storage, { document: { tenant, document }, kind: answers.kind, due }, () => undefined)
  return contents.flatMap(packsOf)
}

interface Due<Row> {
  readonly document: Pick<RedactedLayer, 'tenant' | 'document'>
  readonly kind: { storedBytes(row: NoInfer<Row> | undefined): number }
  readonly due: readonly Slot<Row>[]
}

async function inSteps<Row>(
  storage: WithholdingStorage,
  { document, kind, due }: Due<Row>,
  erased: (row: NoInfer<Row>) => NoInfer<Row> | undefined,
): Promise<void> {
  const erase = async (transaction: Transaction, step: readonly Slot<Row>[]) => {
    let bytes = 0
    for (const slot of step) {
      const row = await transaction.read(slot)
      if (row === undefined) continue
      const next = erased(row)
      if (next === undefined) transaction.remove(slot)
      else transaction.put(slot, next)
      bytes += kind.storedBytes(next) - kind.storedBytes(row)
    }
    await countStored(storage.tables, transaction, document, bytes)
  }
  for (let from = 0; from < due.length; from += limits.sweepRowsMax) {
    const step = due.slice(from, from + limits.sweepRowsMax)
    // Each step writes the document's row: the lease serialises it with changes of the document, which cost more to
    // repeat.
    await storage.leases.hold(documentLease(document.document), () =>
      transact(storage, (transaction) => erase(transaction, step)),
    )
  }
}

const packsOf = ({ at }: Content): readonly string[] => ('pack' in at ? [at.pack.name] : [])
