// Reads the current object of a recorded resource from its provider, as leaves like in a plan, with masked secrets.

import { isSensitiveHash } from '../plan/base.js'
import { labelOf } from '../plan/compare.js'
import { fieldOf } from '../plan/hasher.js'
import { observedLeaves } from '../plan/observation.js'
import type { ShownValue } from '../plan/plan.js'
import { observe } from '../plan/refresh.js'
import type { Row } from '../state/row.js'
import { parseAddress } from '../value/address.js'
import type { LeafPath } from '../value/tree.js'
import type { Applied } from './applied.js'

export interface LiveLeaf {
  readonly path: LeafPath
  readonly label: string
  readonly value: ShownValue
}

/** State of the object at its provider. `absent`: the provider has no object of this kind, or none yet. */
export type Live =
  | { readonly type: 'present'; readonly leaves: readonly LiveLeaf[]; readonly isPaused?: true }
  | { readonly type: 'gone' }
  | { readonly type: 'absent' }

export async function readLive(applied: Applied, address: string, row: Row): Promise<Live> {
  const { provider, kind } = parseAddress(address)
  const handler = applied.handler(provider, kind, row.api)
  if (row.id === null || handler.isStateOnly) return { type: 'absent' }
  const found = await observe(handler, applied.call(provider), row.id, row.parts)
  if (found.type === 'gone') return found
  const leaves = [...observedLeaves(handler, found, new Set(found.parts.keys()))].map(([path, value]): LiveLeaf => {
    const recorded = [row.leaves[path] ?? []].flat()
    const isSensitive =
      fieldOf(handler, path).secret === true || recorded.some((hash) => hash !== null && isSensitiveHash(hash))
    return {
      path,
      label: labelOf(handler, path),
      value: isSensitive ? { type: 'sensitive' } : { type: 'value', value },
    }
  })
  return { type: 'present', leaves, ...(handler.isPaused?.(found.remote) ? { isPaused: true } : {}) }
}
