// Finds the change that an undo names: it must belong to the caller and the layer, and still be undoable.

import { callerKeyOf } from '../auth/caller-key.js'
import { notFound, Refusal } from '../refusals/refusal.js'
import type { AuditRow, NeededRight } from '../rows/audit.js'
import type { ChangeState } from './state.js'
import { type GroupStep, readStoredChange } from './stored-change.js'

export interface UndoTarget {
  readonly opId: string
  readonly rights: readonly NeededRight[]
  readonly steps: readonly { readonly type: string }[]
  readonly groups: readonly GroupStep[]
}

type Reason = 'final-change' | 'base-changed'

/** Finds the change. Throws `UndoUnavailable`, and `NotFound`, also for refused changes and those of other callers. */
export async function findUndoTarget(state: ChangeState, opId: string): Promise<UndoTarget> {
  const { context, owner, layer } = state
  const { deployment, caller } = context
  const { tables } = deployment
  const { tenant, document, layerName } = owner
  const answer = await tables.answers.get([tenant, document, layerName, callerKeyOf(caller), opId])
  if (answer?.outcome.status !== 'applied') throw notFound('change of this caller in this layer')
  const { auditId } = answer.outcome
  if (layer?.undoFloor && auditId <= layer.undoFloor.auditId) throw unavailable(layer.undoFloor.reason)
  const row = await tables.audits.get([tenant, document, auditId])
  if (!row) throw new Error(`The answer to ${opId} names an audit row that is not there`)
  return undoTargetOf(state, opId, row)
}

async function undoTargetOf({ context, owner }: ChangeState, opId: string, row: AuditRow): Promise<UndoTarget> {
  if (!row.isUndoable) throw unavailable('final-change', 'it changed pages, flattened or redacted')
  if (row.content === null) throw unavailable('final-change')
  const { undo, groups } = await readStoredChange(context.deployment, owner, row.content)
  return { opId, rights: row.rights, steps: undo ?? [], groups }
}

const causes: Readonly<Record<Reason, string>> = {
  'final-change': 'something was flattened or redacted since',
  'base-changed': 'the document has another version since',
}

const unavailable = (reason: Reason, cause = causes[reason]) =>
  new Refusal('UndoUnavailable', `This change cannot be undone: ${cause}`, { details: { reason } })
