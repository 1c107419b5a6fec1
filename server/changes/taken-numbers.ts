// Counts the object numbers that changes and signings take, for the layer and for the caller in it: all layers of a document share
// its numbers, so that nobody may use them up.
import { callerKeyOf } from '../auth/caller-key.js'
import { limits } from '../limits.js'
import type { DocumentContext } from '../operation/operation.js'
import { Refusal } from '../refusals/refusal.js'
import type { LayerRow } from '../rows/layer.js'
import type { ReservedNumbersRow } from '../rows/reserved-numbers.js'
import { takenIdOf } from '../storage/share-count.js'
import type { Slot } from '../storage/table.js'
import type { Transaction } from '../storage/transaction.js'
import type { ChangeState } from './state.js'

/** Returns how many object numbers one change may take in the layer at most. */
export const numbersLeftIn = (layer: LayerRow | undefined): number =>
  Math.max(0, limits.numbersOfLayerMax - (layer?.numbersTaken ?? 0))

/** Throws `LayerFull` if the layer may not take so many object numbers more. */
export function refuseTooMany({ layer }: ChangeState, taken: number): void {
  const numbersLeft = numbersLeftIn(layer)
  if (taken <= numbersLeft) return
  throw new Refusal('LayerFull', 'The layer cannot have so many new objects', { details: { numbersLeft } })
}

/** Returns what puts the count of the caller, if it is counted. Throws `LayerFull`. */
export async function countTaken(
  transaction: Transaction,
  { context, document }: ChangeState,
  taken: number,
): Promise<() => void> {
  if (context.caller.kind === 'api' || taken < limits.countedNumbersMin) return () => {}
  const slot = takenSlotOf(context)
  const before = (await transaction.read(slot))?.ranges[0]?.count ?? 0
  const count = before + taken
  if (count > limits.numbersOfCallerMax) throw tooMany(limits.numbersOfCallerMax - before)
  // The row is removed with its document.
  const row = { version: document.headVersion, ranges: [{ first: 1, count }], expiresAt: Number.MAX_SAFE_INTEGER }
  return () => transaction.put(slot, row)
}

const tooMany = (numbersLeft: number) =>
  new Refusal('LayerFull', 'This caller cannot make so many new objects in the layer', { details: { numbersLeft } })

/** Sessions of a share are made without end, so that they have one count. */
function takenSlotOf({ deployment, tenant, document, layerName, caller }: DocumentContext): Slot<ReservedNumbersRow> {
  const share = caller.kind === 'document' ? caller.share : undefined
  const name = share === undefined ? ['caller', callerKeyOf(caller)] : ['share', share]
  const id = deployment.sealing.fingerprint(JSON.stringify(['taken-numbers', document.internal, layerName, ...name]))
  return deployment.tables.reservedNumbers.at([tenant.internal, document.internal, takenIdOf(id)])
}
