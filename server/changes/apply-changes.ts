// `doc.changes`: applies the changes of a request in order, independently of each other.

import { lostFileOf } from '../documents/layer-moved.js'
import { unknownFailure } from '../http/envelope.js'
import type { NumberRange } from '../object-numbers/ranges.js'
import { topUpOf, withNumbers } from '../object-numbers/top-up.js'
import { refusalOf } from '../operation/failures.js'
import { type DocumentContext, ReplayedJson } from '../operation/operation.js'
import type { LayerMove } from '../rebase/move-layer.js'
import { isDamage } from '../refusals/damaged-file.js'
import type { Refusal } from '../refusals/refusal.js'
import type { ChangeEntry, ChangeRequest } from '../schemas/changes.js'
import { OutcomeUnknown } from '../storage/transaction.js'
import { errorOf } from './answers.js'
import { applyChange, type ChangeAnswer } from './apply-change.js'
import { changeKind } from './audit-kinds.js'
import type { ChangeWork } from './change-types.js'
import { refuseUnnamed } from './resource-keys.js'

/** Returns one outcome per entry, in order; `Replayed` if all of them are stored responses. */
export async function applyChanges(context: DocumentContext, { changes }: ChangeRequest): Promise<unknown> {
  refuseUnnamed(
    context.resources(),
    changes.flatMap((entry) => ('ops' in entry ? entry.ops : [])),
  )
  const answers: object[] = []
  let areReplays = true
  let merge: LayerMove | undefined
  let numbers: readonly NumberRange[] = []
  const numbersWanted = topUpOf(context)
  for (const entry of changes) {
    // The numbers come with one change of the request.
    const wanted = numbers.length === 0 ? numbersWanted : 0
    const { outcome, isReplay, move, numbers: reserved = [] } = await applied(context, entry, wanted)
    numbers = [...numbers, ...reserved]
    merge ??= move
    answers.push({ opId: entry.opId, ...outcome })
    areReplays &&= isReplay
  }
  // This move is not part of a repeated response, because the layer is moved only once.
  const response = { changes: answers, ...(merge && { merge }) }
  return areReplays && !merge ? new ReplayedJson(response) : withNumbers(response, numbers)
}

async function applied(context: DocumentContext, entry: ChangeEntry, numbersWanted: number): Promise<ChangeAnswer> {
  const { opId } = entry
  const work: ChangeWork = 'ops' in entry ? { kind: 'raw', ops: entry.ops } : { kind: 'undo', undoOf: entry.undoOf }
  try {
    return await applyChange(context, { opId, kind: changeKind, work, numbersWanted })
  } catch (error) {
    // A change that may have been applied has no outcome, so that the request as a whole fails: it can be sent again.
    if (error instanceof OutcomeUnknown) throw error
    // This refusal is not stored, so the change may be sent again.
    return { outcome: { status: 'refused', error: errorOf(loggedRefusalOf(error, context)) }, isReplay: false }
  }
}

/** Failures of the server are logged and counted: the status of the whole answer does not tell of them. */
function loggedRefusalOf(error: unknown, { log, requestId, deployment }: DocumentContext): Refusal {
  // No other writer changes the layer under this lease, so that a missing file is damage.
  const refusal = refusalOf(lostFileOf(error) ?? error) ?? unknownFailure(requestId)
  if (refusal.status >= 500) {
    log.error({ err: error }, 'change failed')
    deployment.metrics.count(isDamage(refusal) ? 'file-damaged' : 'change-failed')
  }
  return refusal
}
