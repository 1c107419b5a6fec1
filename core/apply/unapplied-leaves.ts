// Detects members that a provider did not apply, although it accepted the request without an error.

import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { absentHash } from '../plan/base.js'
import { isFixedMark, labelOf } from '../plan/compare.js'
import { fieldOf, partKeyOf } from '../plan/hasher.js'
import type { Change } from '../plan/plan.js'
import { isShared } from '../plugin/fields.js'
import { diagnostic } from '../problems/index.js'
import type { Row } from '../state/row.js'
import type { LeafPath } from '../value/tree.js'

/**
 * Returns the paths of leaves whose value at the provider differs from the desired one, although no rule of the handler
 * allows that. A leaf without a desired value counts only if this change should have cleared it and its value is
 * unchanged; any other value is a default of the provider.
 */
export function unappliedLeaves(
  resource: Resource,
  { leaves: planned, action, row }: Change,
  recorded: Row['leaves'],
  sourcesRead: ReadonlySet<string>,
): readonly LeafPath[] {
  const { handler, declaration } = resource
  const isUpdate = action === 'update' && row?.id != null
  const cleared = new Map(isUpdate ? planned.flatMap((leaf) => clearedLeaf(leaf)) : [])
  // Initial content is written once and then belongs to the users of the object.
  const ownsParts = handler.parts?.policy(declaration) === 'own'
  const unsent = isUpdate ? planned.filter((leaf) => isUnsentContent(resource, leaf, sourcesRead)) : []
  const differing = Object.entries(recorded).flatMap(([path, hashes]) => {
    if (typeof hashes === 'string') return []
    const [desired, observed] = hashes
    const field = fieldOf(handler, path)
    if (observed === null || field.normalised || (isUpdate && isFixedMark(handler, path))) return []
    if (!ownsParts && partKeyOf(handler, path) !== undefined) return []
    if (desired !== absentHash) return [path]
    return !isShared(field) && cleared.get(path) === observed ? [path] : []
  })
  return [...new Set([...unsent.map(({ path }) => path), ...differing])]
}

/** True if the digest of a local source changed although no call requested its bytes: they cannot have been sent. */
function isUnsentContent(
  { declaration }: Resource,
  { after }: Change['leaves'][number],
  sourcesRead: ReadonlySet<string>,
): boolean {
  if (after.type !== 'value' || typeof after.value !== 'string') return false
  const digest = after.value
  return [...declaration.sources.values()].some(({ sha256 }) => sha256 === digest) && !sourcesRead.has(digest)
}

function clearedLeaf({
  path,
  beforeHash,
  afterHash,
}: Change['leaves'][number]): readonly (readonly [string, string])[] {
  return afterHash === absentHash ? [[path, beforeHash]] : []
}

/** Creates the note that names these leaves by their labels; their values may be secrets. */
export function unappliedNote({ address, handler, provider }: Resource, paths: readonly LeafPath[]): Diagnostic {
  const labels = [...new Set(paths.map((path) => labelOf(handler, path)))].join(', ')
  return diagnostic('apply.not-taken', {
    address,
    detail: `Not applied by the provider: ${labels}. ${provider} accepted the request for ${address}, but has another value.`,
  })
}
