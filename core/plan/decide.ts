// Decides on the change of one declared resource, based on its row and on the object at the provider.

import { wordInFile } from '../declaration/project.js'
import { unsetVariable } from '../declaration/unset.js'
import { Problem } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import type { Handler } from '../plugin/handler.js'
import { problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import { placeholdersIn } from '../value/placeholder.js'
import { type Comparison, compare } from './compare.js'
import { type LeafHasher, partKeyOf } from './hasher.js'
import { lossEffect, lossesOf, lossNotes } from './losses.js'
import { nameLeaf } from './moves.js'
import { type Observation, type Present, splitParts, staleParts } from './observation.js'
import { leavesByPart, partHash } from './part-hash.js'
import type { Action, Cause, Change, PlannedLeaf } from './plan.js'
import { sessionNotes } from './session-uses.js'
import { expandOutputs, type Values } from './values.js'

export interface DecideRequest {
  readonly resource: Resource
  readonly row: Row | undefined
  /** Address under which state still has the row. */
  readonly movedFrom?: Address | undefined
  /** Observed object; absent if it was not read, because no id is known. */
  readonly found: Observation | undefined
  readonly values: Values
  readonly hasher: LeafHasher
  /** True with `--recreate`: the recorded object belongs to another account or to an emulator, and is not touched. */
  readonly isLeftBehind?: boolean
  /** True if the provider was asked again and the object still cannot exist. */
  readonly isStillWaiting?: boolean
}

/** Change without its position in the order. */
export type Decision = Omit<Change, 'after'>

export async function decide(request: DecideRequest): Promise<Decision> {
  const { resource, row, found } = request
  if (resource.externalId !== undefined) return verify(request, resource.externalId)
  if (row?.ownership === 'external') throw missingReleaseError(resource)
  if (row === undefined) return create(request)
  if (row.id === null && !resource.handler.isStateOnly) return create(request, 'recorded')
  if (found?.type === 'gone') return create(request, request.isLeftBehind ? 'recreated' : 'gone')
  if ((row.api ?? resource.api) !== resource.api)
    return { ...(await create(request)), action: 'replace', cause: 'intent' }
  return update(request, found ?? nothingRemote)
}

/** Observation of kinds that have no remote object. */
const nothingRemote: Present = { type: 'present', id: '', remote: {}, observed: {}, parts: new Map() }

async function create(request: DecideRequest, cause: Cause = 'intent'): Promise<Decision> {
  const { changes, unset } = await compareNow(request, undefined)
  refuseUnset(request.resource, unset)
  const action = request.isStillWaiting ? ('waiting' as const) : ('create' as const)
  // A waiting resource shows only the reason why it waits.
  const leaves = request.isStillWaiting ? [] : changes.map((leaf) => ({ ...leaf, cause }))
  return { ...shared(request), action, cause, leaves, unverified: [], notes: [] }
}

async function update(request: DecideRequest, found: Present): Promise<Decision> {
  const { resource, row } = request
  const { changes, unverified, unset } = await compareNow(request, found)
  refuseChangedInitializers(request, changes)
  const { movedFrom } = request
  const renamed = movedFrom === undefined ? [] : [nameLeaf(movedFrom, resource.address)]
  const changed = [...changes.map((leaf) => markUnfinished(request, leaf)), ...followedChanges(request)]
  const leaves = [...renamed, ...changed]
  const hasOpenWork = row?.operation !== undefined || (row?.deposed?.length ?? 0) > 0 || hasStaleParts(request, found)
  const own = actionFor(resource.handler, changed, hasOpenWork)
  const action = own === 'none' && renamed.length > 0 ? 'update' : own
  if (action !== 'none' && leaves.length > 0) refuseUnset(resource, unset)
  const cause = leaves.length > 0 ? sumOf(leaves) : hasOpenWork ? ('recorded' as const) : undefined
  const desired = expandOutputs(resource.desired, request.values)
  const lost = lossesOf({ resource, desired, found, action, leaves })
  return {
    ...shared(request),
    action,
    ...(cause ? { cause } : {}),
    leaves,
    unverified,
    ...(lost.length > 0 ? { irreversible: lossEffect } : {}),
    notes: [...sessionNotes({ row, resource }), ...lossNotes(resource, lost)],
  }
}

/**
 * Changes the cause of a leaf of a part that an interrupted or failed run did not write: the declaration did not
 * change.
 */
function markUnfinished({ resource, row }: DecideRequest, leaf: PlannedLeaf): PlannedLeaf {
  const key = partKeyOf(resource.handler, leaf.path)
  const isPending = row?.operation?.type === 'parts' && key !== undefined && row.operation.pending[key] !== undefined
  return isPending && leaf.cause === 'intent' ? { ...leaf, cause: 'recorded' } : leaf
}

/** True if parts owned by the declaration are no longer declared; parts of others do not count. */
function hasStaleParts({ resource, row, values }: DecideRequest, found: Present): boolean {
  const { handler, desired, declaration } = resource
  if (handler.parts?.policy(declaration) !== 'own') return false
  return staleParts(row, splitParts(handler, expandOutputs(desired, values)).parts, found).length > 0
}

function verify(request: DecideRequest, externalId: string): Decision {
  const { resource, row, found } = request
  const written = wordInFile(resource.declaration, externalId)
  if (row && row.ownership !== 'external' && row.id !== externalId) {
    throw problem('plan.managed-became-external', {
      address: resource.address,
      detail: `State manages ${row.id} as ${resource.address}; the declaration now points at ${written}.`,
      fix: `Release the managed object first: agents state rm ${resource.address}`,
    })
  }
  if (found?.type !== 'present') {
    throw problem('plan.external-missing', {
      address: resource.address,
      detail: `${resource.address} refers to ${written}, which the provider does not have or has archived.`,
    })
  }
  const isRecorded = row?.ownership === 'external' && row.id === externalId
  const action: Action = isRecorded ? 'none' : 'verify'
  return { ...shared(request), id: externalId, action, leaves: [], unverified: [], notes: [], deposed: [] }
}

function missingReleaseError({ address }: Resource): Error {
  return problem('plan.ownership', {
    address,
    detail: `${address} was declared with an id of an existing object, which agents never changes. Without that line it would be managed.`,
    fix: `Put the id back, or release the object first: agents state rm ${address}`,
  })
}

function compareNow({ resource, row, values, hasher }: DecideRequest, found: Present | undefined): Promise<Comparison> {
  const { handler, desired, declaration } = resource
  const partPolicy = handler.parts?.policy(declaration) ?? 'own'
  return compare({ handler, desired, row, found, partPolicy, values, hasher })
}

/** Returns the outputs that have changed although they are not sent and must stay (version pins). */
function followedChanges({ resource, row, values }: DecideRequest): readonly PlannedLeaf[] {
  return placeholdersIn(resource.follows).flatMap((followed): readonly PlannedLeaf[] => {
    if (followed.type !== 'output') return []
    const key = `${followed.address}#${followed.output}`
    const before = row?.inputs?.[key]
    const after = values.output(followed.address, followed.output)
    if (before === undefined || before === after) return []
    return [
      {
        path: key,
        label: `${followed.output} of ${followed.address}`,
        before: { type: 'value', value: before },
        after: after === undefined ? { type: 'unknown' } : { type: 'value', value: after },
        cause: 'dependency',
        forcesReplacement: false,
        beforeHash: before,
        afterHash: after ?? '?',
      },
    ]
  })
}

function actionFor(handler: Handler, leaves: readonly PlannedLeaf[], hasOpenWork: boolean): Action {
  if (leaves.length === 0) return hasOpenWork ? 'resume' : 'none'
  const touchesObject = leaves.some(({ path }) => partKeyOf(handler, path) === undefined)
  const mustReplace = leaves.some(({ forcesReplacement }) => forcesReplacement) || (touchesObject && !handler.update)
  return mustReplace ? 'replace' : 'update'
}

function sumOf(leaves: readonly PlannedLeaf[]): Cause {
  const causes = new Set(leaves.map(({ cause }) => cause))
  if (causes.has('both') || (causes.has('intent') && causes.has('drift'))) return 'both'
  for (const cause of ['intent', 'drift', 'dependency', 'recorded'] as const) if (causes.has(cause)) return cause
  return 'intent'
}

/** Refuses changed initial content as long as an interrupted run has not written the former content. */
function refuseChangedInitializers({ resource, row, hasher }: DecideRequest, changes: readonly PlannedLeaf[]): void {
  const { handler, declaration, address } = resource
  if (row?.operation?.type !== 'parts' || handler.parts?.policy(declaration) !== 'once') return
  const wanted = leavesByPart(handler, changes)
  const changed = Object.entries(row.operation.pending).flatMap(([key, hash]) =>
    partHash(hasher, wanted.get(key) ?? []) === hash ? [] : [key],
  )
  if (changed.length === 0) return
  throw problem('plan.pending-initializer-changed', {
    address,
    detail: `An interrupted apply still has to write ${changed.join(', ')} into ${address}, and the declaration no longer has the same content.`,
  })
}

function refuseUnset({ address }: Resource, unset: readonly string[]): void {
  if (unset.length === 0) return
  throw new Problem(unset.map((variable) => ({ ...unsetVariable(variable, address), address })))
}

function shared({
  resource,
  row,
  found,
  movedFrom,
}: DecideRequest): Omit<Decision, 'action' | 'leaves' | 'unverified' | 'notes'> {
  const { address, provider, kind, name } = resource
  return {
    address,
    provider,
    kind,
    name,
    resource,
    deposed: row?.deposed?.map(({ id }) => id) ?? [],
    ...(row ? { row } : {}),
    ...(row?.id ? { id: row.id } : {}),
    ...(found ? { found } : {}),
    ...(movedFrom === undefined ? {} : { movedFrom }),
  }
}
