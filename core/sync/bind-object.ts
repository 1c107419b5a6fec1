// Last phases of an import: write the ownership mark on the object, and its row in state.
import type { ApplyOptions } from '../apply/options.js'
import { rowFor, WantedLeaves } from '../apply/record.js'
import type { Resource } from '../graph/resource.js'
import { marks } from '../graph/resource.js'
import { accountOf, formatAccount } from '../plan/account.js'
import type { Connections } from '../plan/connections.js'
import type { Present } from '../plan/observation.js'
import type { KnownOutputs } from '../plan/outputs.js'
import { observe } from '../plan/refresh.js'
import type { LeafChange } from '../plugin/handler.js'
import { createHasher, type LeafHasher } from '../state/hashes.js'
import type { Row } from '../state/row.js'
import type { StateWriter } from '../state/store.js'
import { parseAddress } from '../value/address.js'
import { isObject, leafPath, type Tree } from '../value/tree.js'
import { contentLeaves } from './adopt.js'
import type { FoundForImport } from './find-for-import.js'

export interface Binder {
  readonly options: ApplyOptions
  readonly state: StateWriter
  readonly values: KnownOutputs
  readonly connections: Connections
}

/** Writes the ownership mark and nothing else. */
export async function markObject(
  { options, state, connections }: Binder,
  resource: Resource,
  { handler, found }: FoundForImport,
): Promise<Present> {
  if (handler.mark === undefined || !handler.update) return found
  const call = connections.call(resource.provider, options.hardStop ?? new AbortController().signal)
  const current = found.observed[handler.mark]
  const ours = { [marks.project]: state.project, [marks.resource]: resource.name }
  const before = isObject(current) ? current : {}
  const changes: LeafChange[] = Object.entries(ours)
    .filter(([key, value]) => before[key] !== value)
    .map(([key, value]) => ({ path: leafPath([handler.mark ?? '', key]), before: before[key], after: value }))
  if (changes.length === 0) return found
  const desired: Tree = { ...found.observed, [handler.mark]: { ...before, ...ours } }
  const { id, observed, remote } = found
  await handler.update(call, { id, desired, observed, remote, changes, sources: new Map() })
  const now = await observe(handler, call, id)
  return now.type === 'present' ? now : found
}

/** Writes the row of the object, after its provider's account if the provider has no rows yet. */
export async function recordObject(binder: Binder, resource: Resource, object: FoundForImport): Promise<void> {
  const { options, state, values } = binder
  const { handler, found } = object
  const hasher = createHasher({ salt: state.salt, derive: options.derive })
  const parts = Object.fromEntries([...found.parts].map(([key, part]) => [key, part.id]))
  const leaves = await new WantedLeaves(resource, { values, hasher }).recorded(parts, found)
  await recordAccount(binder, resource, hasher)
  const { id: _, ...outputs } = handler.outputs(found.remote)
  values.set(resource.address, { ...outputs, id: found.id })
  await state.put(resource.address, {
    ...rowFor(resource, values),
    id: found.id,
    leaves: basesOf(resource, object, leaves),
    ...(Object.keys(outputs).length > 0 ? { outputs } : {}),
    ...(Object.keys(parts).length > 0 ? { parts } : {}),
  })
}

async function recordAccount(
  { state, connections }: Binder,
  { provider }: Resource,
  hasher: LeafHasher,
): Promise<void> {
  const isFirst = ![...state.rows.keys()].some((other) => parseAddress(other).provider === provider)
  if (isFirst) await state.setFingerprint(provider, formatAccount(await accountOf(connections, provider, hasher)))
}

/**
 * Returns the recorded hashes of leaves. A leaf that differs, or is not visible, has none, so the next plan compares it
 * as it is: a name that is not the key, for example, is planned like every other change.
 */
function basesOf(resource: Resource, { handler, content }: FoundForImport, leaves: Row['leaves']): Row['leaves'] {
  const isHere = [...resource.declaration.sources.values()].some(
    ({ sha256 }) => content?.type === 'content' && content.sha256 === sha256,
  )
  // The upload cannot be read later, so its digest is recorded now that the content is known to be equal.
  const verified = isHere ? contentLeaves(handler, leaves) : {}
  const all = Object.entries({ ...leaves, ...verified })
  return Object.fromEntries(all.filter(([path, hashes]) => typeof hashes === 'string' || path in verified))
}
