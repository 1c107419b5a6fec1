// Applies one change to a layer exactly once: a repeated request returns the stored response.

import { callerKeyOf } from '../auth/caller-key.js'
import type { NumberRange } from '../object-numbers/ranges.js'
import { topUp } from '../object-numbers/top-up.js'
import { refusalOf } from '../operation/failures.js'
import type { DocumentContext } from '../operation/operation.js'
import { webhookTopic } from '../outbox/webhook-topic.js'
import { type LayerMove, moveLayer } from '../rebase/move-layer.js'
import type { Refusal } from '../refusals/refusal.js'
import type { AnswerRow } from '../rows/answer.js'
import type { RefusalsRow } from '../rows/refusals.js'
import { auditTopic } from '../storage/audit-topic.js'
import { erasureTopic } from '../storage/erasure-topic.js'
import { layerRowKinds } from '../storage/layer-row-kinds.js'
import { documentLease } from '../storage/removals.js'
import { countStored } from '../storage/stored-bytes.js'
import { Transaction, transact } from '../storage/transaction.js'
import { errorOf, replayed } from './answers.js'
import { boundedRefusal } from './bounded-refusal.js'
import type { Outcome } from './change-types.js'
import { runAndPutChange } from './make-change.js'
import { type ChangeInput, planOf } from './plan.js'
import { refusePending } from './refuse-pending.js'
import { isStoredRefusal, refusalsSlotOf, rememberedRefusal, rememberRefusal, reused } from './refused-changes.js'
import { isRepairWanted, withRepair } from './repairing.js'
import { requestHashOf } from './request-hash.js'
import { type ChangeState, readState, stateOf, stateSlotsOf } from './state.js'

const { answers } = layerRowKinds

export interface ChangeAnswer {
  readonly outcome: Outcome
  /** True if the response is the stored one of an earlier identical request. */
  readonly isReplay: boolean
  /** True if the change redacted content, so that erasure may be pending. */
  readonly isRedaction?: boolean
  /** True if webhooks wait for the change. */
  readonly isAwaited?: boolean
  /** Object numbers that were reserved with the change. */
  readonly numbers?: readonly NumberRange[]
  /** Move of the layer over the head version, if the request caused one. */
  readonly move?: LayerMove | undefined
}

/**
 * Applies a change. Throws refusals that are not stored: the document was deleted, the workers are busy, or the store
 * failed. Nothing was changed in that case, and a repeated request may succeed.
 */
export async function applyChange(context: DocumentContext, input: ChangeInput): Promise<ChangeAnswer> {
  const { deployment, document, signal } = context
  const requestHash = requestHashOf(input.work, context.resources(), deployment.sealing)
  const keyed = { ...input, requestHash }
  const work = (given: Pick<KeyedChange, 'refusal' | 'unrepairable'>) =>
    transact(
      { store: deployment.store },
      (transaction) => attemptChange(transaction, context, { ...keyed, ...given }),
      {
        outcomeOf: () => resolveOutcome(context, keyed),
      },
    )
  // The lease queues the writers of a document; correctness comes from the expectations of the commit.
  const answered = await deployment.leases.hold(
    documentLease(document.internal),
    async () => {
      const { move, refusal } = await moveFor(context, keyed)
      return { ...(await withRepair(context, (unrepairable) => work({ refusal, unrepairable }))), move }
    },
    signal(),
  )
  if (answered.outcome.status === 'applied' && !answered.isReplay) announceChange(context, answered)
  return answered
}

function announceChange(context: DocumentContext, { isRedaction, isAwaited }: ChangeAnswer): void {
  const { deployment, tenant, document, layerName } = context
  deployment.bus.publish(auditTopic(document.internal))
  if (isAwaited) deployment.bus.publish(webhookTopic)
  if (!isRedaction) return
  deployment.caches.eraseContent()
  deployment.bus.publish(erasureTopic)
  void deployment.withholdings.start({ tenant: tenant.internal, document: document.internal, layerName })
}

interface KeyedChange extends ChangeInput {
  readonly requestHash: string
  /** Refusal of the change over the head version, for which the layer was not moved. */
  readonly refusal?: Refusal | undefined
}

/** Moves the layer, unless the change was answered before or would be refused by its plan after the move. */
async function moveFor(context: DocumentContext, keyed: KeyedChange) {
  let refusal: Refusal | undefined
  const move = await moveLayer(context, async (moved) => {
    if ((await storedOutcome(context, keyed)) !== undefined) return false
    refusal = await refusalOfPlan(await stateOf(moved), keyed)
    return refusal === undefined
  })
  return { move, refusal }
}

async function refusalOfPlan(state: ChangeState, input: ChangeInput): Promise<Refusal | undefined> {
  try {
    await planOf(state, input)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal !== undefined && isStoredRefusal(refusal)) return refusal
    throw error
  }
  return undefined
}

async function attemptChange(
  transaction: Transaction,
  context: DocumentContext,
  keyed: KeyedChange,
): Promise<ChangeAnswer> {
  const slot = answerSlot(context, keyed)
  await transaction.prefetch([...stateSlotsOf(context), slot, refusalsSlotOf(context)])
  const state = await readState(transaction, context)
  const earlier = await transaction.read(slot)
  const known = await knownOutcome(state, keyed, earlier, await transaction.read(refusalsSlotOf(context)))
  if (known !== undefined) return known
  refusePending(state)
  const { requestHash } = keyed
  try {
    if (keyed.refusal) throw keyed.refusal
    const { auditId, result, ...facts } = await runAndPutChange(transaction, state, keyed)
    const numbers = await topUp(transaction, context, keyed.numbersWanted ?? 0)
    const at = context.deployment.clock.now()
    transaction.put(slot, { requestHash, outcome: { status: 'applied', auditId }, at })
    await countStored(context.deployment.tables, transaction, state.owner, -answers.storedBytes(earlier))
    return { outcome: { status: 'applied', result }, isReplay: false, numbers, ...facts }
  } catch (error) {
    const thrown = isRepairWanted(error) ? keyed.unrepairable : refusalOf(error)
    if (thrown === undefined || !isStoredRefusal(thrown)) throw error
    const refusal = boundedRefusal(thrown)
    await rememberRefusal(transaction, state, { ...keyed, refusal })
    return { outcome: refused(refusal), isReplay: false }
  }
}

/** Returns the outcome of an earlier request with this opId; undefined if there was none, or its refusal was forgotten. */
async function knownOutcome(
  state: ChangeState,
  keyed: KeyedChange,
  answer: AnswerRow | undefined,
  refusals: RefusalsRow | undefined,
): Promise<ChangeAnswer | undefined> {
  if (answer?.outcome.status === 'applied') {
    if (answer.requestHash !== keyed.requestHash) return { outcome: refused(reused()), isReplay: false }
    return { outcome: await replayed(state, answer.outcome), isReplay: true }
  }
  const refusal = await rememberedRefusal(state, refusals, keyed)
  return refusal && { outcome: refused(refusal), isReplay: refusal.code !== 'IdempotencyKeyReused' }
}

const refused = (refusal: Refusal): Outcome => ({ status: 'refused', error: errorOf(refusal) })

/** Returns the outcome as it is stored now, outside of a transaction. */
async function storedOutcome(context: DocumentContext, keyed: KeyedChange): Promise<ChangeAnswer | undefined> {
  const { store, tables } = context.deployment
  const state = await readState(new Transaction(store), context)
  const [answer, refusals] = await tables.getMany([answerSlot(context, keyed), refusalsSlotOf(context)])
  return knownOutcome(state, keyed, answer, refusals)
}

/** Resolves a commit of unknown outcome: the outcome is stored exactly if it was committed. */
async function resolveOutcome(context: DocumentContext, keyed: KeyedChange): Promise<ChangeAnswer | undefined> {
  const stored = await storedOutcome(context, keyed)
  // The change may have been a redaction; erasing after another change does no harm.
  return stored && { ...stored, isReplay: false, isRedaction: true }
}

const answerSlot = ({ deployment, tenant, document, layerName, caller }: DocumentContext, { opId }: KeyedChange) =>
  deployment.tables.answers.at([tenant.internal, document.internal, layerName, callerKeyOf(caller), opId])
