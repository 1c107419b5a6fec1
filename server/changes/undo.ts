// Finds the change that an undo names, which must be of the layer and still be undoable: the caller's own; for the API
// token and a tenant token any; and for an author what others did to their annotations.

import { callerKeyOf } from '../auth/caller-key.js'
import { limits } from '../limits.js'
import { permissionBitsIn } from '../operation/authority.js'
import type { DocumentContext } from '../operation/operation.js'
import { notFound, Refusal } from '../refusals/refusal.js'
import type { AuditRow, NeededRight } from '../rows/audit.js'
import { isAllowed } from './authority.js'
import type { UndoWork } from './change-types.js'
import { ownersOf } from './owners.js'
import type { ChangeState } from './state.js'
import { type GroupStep, placesOfTexts, readStoredChange } from './stored-change.js'
import type { TextPlace } from './stored-texts.js'

export interface UndoTarget {
  readonly opId: string
  readonly rights: readonly NeededRight[]
  readonly steps: readonly { readonly type: string }[]
  readonly groups: readonly GroupStep[]
  /** Where the long texts of the change are stored. */
  readonly texts: ReadonlyMap<string, TextPlace>
  /** True if somebody else made the change. */
  readonly isOfAnother: boolean
}

type Reason = 'final-change' | 'base-changed'

/**
 * Finds the change. Throws `UndoUnavailable`, and `NotFound`, also for refused changes and those of others that are not
 * the caller's to undo.
 */
export async function findUndoTarget(state: ChangeState, work: UndoWork): Promise<UndoTarget> {
  const own = work.auditId ?? (await ownChange(state, work.undoOf))
  const auditId = own ?? (await changeOfAnother(state, work.undoOf))
  if (auditId === undefined) throw notFound('change of this caller in this layer')
  const { owner, layer } = state
  if (layer?.undoFloor && auditId <= layer.undoFloor.auditId) throw unavailable(layer.undoFloor.reason)
  const row = await state.context.deployment.tables.audits.get([owner.tenant, owner.document, auditId])
  if (row?.layerName !== owner.layerName) throw notFound('change in this layer')
  return {
    ...(await undoTargetOf(state, { auditId, row })),
    isOfAnother: own === undefined || work.auditId !== undefined,
  }
}

async function ownChange({ context, owner }: ChangeState, opId: string): Promise<number | undefined> {
  const { tenant, document, layerName } = owner
  const { answers } = context.deployment.tables
  const answer = await answers.get([tenant, document, layerName, callerKeyOf(context.caller), opId])
  return answer?.outcome.status === 'applied' ? answer.outcome.auditId : undefined
}

/** Returns the newest change of another with this opId that the caller may undo, of those that can be undone. */
async function changeOfAnother(state: ChangeState, opId: string): Promise<number | undefined> {
  const { context, owner, layer } = state
  const { caller, deployment } = context
  if (caller.kind !== 'api' && !mayChangeOwn(context)) return undefined
  const place = [owner.tenant, owner.document] as const
  let rows = 0
  for await (const { key, row } of deployment.tables.audits.range(place, { isReversed: true })) {
    const [, , auditId] = key
    if (auditId <= (layer?.undoFloor?.auditId ?? 0) || ++rows > limits.undoneRowsMax) return undefined
    if (row.layerName !== owner.layerName || row.opId !== opId) continue
    if (caller.kind === 'api' || (await isAboutOwn(state, row))) return auditId
  }
  return undefined
}

/** True if the caller has a right to change annotations of their own. */
function mayChangeOwn(context: DocumentContext): boolean {
  const { caller } = context
  if (caller.kind !== 'document' || caller.person.userId === undefined) return false
  const owner = { userId: caller.person.userId, groupId: null }
  const judged = { caller, permissionBits: permissionBitsIn(context), owner }
  return isAllowed('update', judged) || isAllowed('delete', judged)
}

/** True if the change needed rights to nothing but annotations of the caller. */
async function isAboutOwn(state: ChangeState, { rights }: AuditRow): Promise<boolean> {
  const { caller } = state.context
  if (caller.kind !== 'document' || rights.length === 0) return false
  const ownerOf = ownersOf(state)
  for (const { annotation } of rights) {
    if (annotation === null || (await ownerOf(annotation)).userId !== caller.person.userId) return false
  }
  return true
}

interface FoundChange {
  readonly auditId: number
  readonly row: AuditRow
}

async function undoTargetOf(
  { context: { deployment }, owner }: ChangeState,
  { auditId, row }: FoundChange,
): Promise<Omit<UndoTarget, 'isOfAnother'>> {
  if (!row.isUndoable) throw unavailable('final-change', 'it changed pages, flattened or redacted')
  if (row.content === null) throw unavailable('final-change')
  const { undo, groups } = await readStoredChange(deployment, owner, row.content)
  const texts = await placesOfTexts(deployment, owner, { auditId, content: row.content })
  return { opId: row.opId, rights: row.rights, steps: undo ?? [], groups, texts }
}

const causes: Readonly<Record<Reason, string>> = {
  'final-change': 'something was flattened or redacted since',
  'base-changed': 'the document has another version since',
}

const unavailable = (reason: Reason, cause = causes[reason]) =>
  new Refusal('UndoUnavailable', `This change cannot be undone: ${cause}`, { details: { reason } })
