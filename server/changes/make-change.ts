// Plans a change, runs it in a worker, and puts every resulting row into the transaction of the caller.

import { rm } from 'node:fs/promises'
import type { Transaction } from '../storage/transaction.js'
import { finishChange } from './finished-change.js'
import { refuseFull, rowBefore } from './layer-row.js'
import { type ChangeInput, planOf } from './plan.js'
import { type PutChange, putChange } from './put-change.js'
import { runChange } from './run-change.js'
import { spendNumbers } from './spend-numbers.js'
import type { ChangeState } from './state.js'
import type { Result } from './stored-change.js'
import { countTaken } from './taken-numbers.js'

export interface ChangeResult extends PutChange {
  readonly result: Result
  /** True if content was removed from the layer irreversibly. */
  readonly isRedaction: boolean
}

/** Runs a change and puts its rows. Throws the refusal of the change before anything is put into the transaction. */
export async function runAndPutChange(
  transaction: Transaction,
  state: ChangeState,
  input: ChangeInput,
): Promise<ChangeResult> {
  const plan = await planOf(state, input)
  const now = state.context.deployment.clock.now()
  const { changed, next } = await runChange(state, { plan, now })
  try {
    const putCount = await countTaken(transaction, state, changed.nextObject - state.document.nextObject)
    await spendNumbers(transaction, state, plan.ops)
    const layer = rowBefore(state, next.id, now)
    refuseFull(layer, changed)
    const finished = await finishChange(transaction, state, { ...input, plan, changed, next, layer, now })
    putCount()
    const put = await putChange(transaction, state, finished)
    return { ...put, result: finished.result, isRedaction: finished.privateBase !== null }
  } catch (error) {
    // A base that was not adopted would stay in the staging folder.
    if (changed.rewritten !== null) await rm(changed.rewritten.path, { force: true })
    throw error
  }
}
