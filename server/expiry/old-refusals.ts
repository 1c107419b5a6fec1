// Removes refusals as earlier releases stored them: a row for each refused change, with the text that was sent, for ever.
import { limits } from '../limits.js'
import { isGone } from '../refusals/refusal.js'
import type { AnswerRow } from '../rows/answer.js'
import type { Storage } from '../storage/open-storage.js'
import { documentLease } from '../storage/removals.js'
import { rowKinds } from '../storage/row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import type { Slot } from '../storage/table.js'
import { transact } from '../storage/transaction.js'

type RefusalStorage = Pick<Storage, 'store' | 'tables' | 'leases'>

interface Due {
  readonly tenant: string
  readonly document: string
  readonly slots: Slot<AnswerRow>[]
}

/** Blobs that the rows named are orphans afterwards. */
export async function removeOldRefusals(storage: RefusalStorage): Promise<void> {
  let due: Due | undefined
  for await (const { key, row } of storage.tables.answers.range([])) {
    if (row.outcome.status !== 'refused') continue
    const [tenant, document] = key
    if (due !== undefined && (due.document !== document || due.slots.length >= limits.sweepRowsMax)) {
      await remove(storage, due)
      due = undefined
    }
    due ??= { tenant, document, slots: [] }
    due.slots.push(storage.tables.answers.at(key))
  }
  if (due !== undefined) await remove(storage, due)
}

async function remove(storage: RefusalStorage, { tenant, document, slots }: Due): Promise<void> {
  const work = () =>
    transact(storage, async (transaction) => {
      let bytes = 0
      for (const slot of slots) {
        const row = await transaction.read(slot)
        if (row?.outcome.status !== 'refused') continue
        transaction.remove(slot)
        bytes += rowKinds.answers.storedBytes(row)
      }
      await countStored(storage.tables, transaction, { tenant, document }, -bytes)
    })
  try {
    await storage.leases.hold(documentLease(document), work)
  } catch (error) {
    // The document is being deleted, and its rows with it.
    if (!isGone(error)) throw error
  }
}
