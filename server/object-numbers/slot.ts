// Place of the numbers that a caller has reserved in a layer.
import { callerKeyOf } from '../auth/caller-key.js'
import type { DocumentContext } from '../operation/operation.js'
import type { DocumentRow } from '../rows/document.js'
import type { ReservedNumbersRow } from '../rows/reserved-numbers.js'
import type { Slot } from '../storage/table.js'

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

/** Returns true if the numbers can be used: the time is not over, and no later version numbers its objects anew. */
export const isValid = (row: ReservedNumbersRow, document: DocumentRow, nowMs: number): boolean =>
  row.expiresAt > nowMs && row.version === document.headVersion
