// Places of reserved numbers: those of a caller in a layer, those that were given back, and the count of a share.
import { callerKeyOf } from '../auth/caller-key.js'
import type { DocumentContext } from '../operation/operation.js'
import type { DocumentRow } from '../rows/document.js'
import type { ReservedNumbersRow } from '../rows/reserved-numbers.js'
import type { Owner } from '../storage/large-values.js'
import { countIdOf } from '../storage/share-count.js'
import type { Slot } from '../storage/table.js'
import type { Tables } from '../storage/tables.js'

export function reservedSlotOf({
  deployment,
  tenant,
  document,
  layerName,
  caller,
}: DocumentContext): Slot<ReservedNumbersRow> {
  const id = deployment.sealing.fingerprint(
    JSON.stringify(['object-numbers', document.internal, layerName, callerKeyOf(caller)]),
  )
  return deployment.tables.reservedNumbers.at([tenant.internal, document.internal, id])
}

/** Ids of callers are fingerprints, which are longer. */
const freeId = 'free'

/** Place of the numbers of a document that were given back. */
export const freeSlotOf = (tables: Tables, { tenant, document }: Owner): Slot<ReservedNumbersRow> =>
  tables.reservedNumbers.at([tenant, document, freeId])

/** Returns the id of the row that counts the numbers of a session's share; undefined for other callers. */
export function countedInOf({ deployment, document, caller }: DocumentContext): string | undefined {
  if (caller.kind !== 'document' || caller.share === undefined) return undefined
  return countIdOf(deployment.sealing.fingerprint(JSON.stringify(['share-numbers', document.internal, caller.share])))
}

/** Returns true if the numbers can be used: the time is not over, and no later version numbers its objects anew. */
export const isValid = (row: ReservedNumbersRow, document: DocumentRow, nowMs: number): boolean =>
  row.expiresAt > nowMs && row.version === document.headVersion
