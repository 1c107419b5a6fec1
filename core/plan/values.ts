// Values of placeholders during a run: variables, and outputs that rows contain or that are still unknown.
import type { Variables } from '../plugin/declaration.js'
import type { Address } from '../value/address.js'
import { expand, hasPlaceholder, placeholdersIn } from '../value/placeholder.js'
import { isObject, type Json, type Tree } from '../value/tree.js'

/** Leaf with its placeholders expanded as far as possible. */
export type ResolvedLeaf =
  /** Values of the variables in the leaf. If there are any, the leaf must be hashed with a key and never shown. */
  | { readonly type: 'known'; readonly value: Json; readonly secrets: readonly string[] }
  /** Address whose output the leaf waits for. */
  | { readonly type: 'unknown'; readonly of: Address; readonly isSensitive: boolean }
  | { readonly type: 'unset'; readonly variables: readonly string[] }

export interface Values {
  /** Returns the value of an output, or undefined while it is not known. */
  output(address: Address, name: string): string | undefined
  readonly variables: Variables
}

export function resolveLeaf(value: Json, values: Values): ResolvedLeaf {
  if (!mayHoldPlaceholder(value)) return { type: 'known', value, secrets: [] }
  const placeholders = placeholdersIn(value)
  if (placeholders.length === 0) return { type: 'known', value, secrets: [] }
  const unset: string[] = []
  const secrets: string[] = []
  let unknownOf: Address | undefined
  for (const placeholder of placeholders) {
    if (placeholder.type === 'variable') {
      const found = values.variables.value(placeholder.name) ?? placeholder.fallback
      if (found === undefined) unset.push(placeholder.name)
      else secrets.push(found)
    } else if (values.output(placeholder.address, placeholder.output) === undefined) {
      unknownOf ??= placeholder.address
    }
  }
  if (unset.length > 0) return { type: 'unset', variables: [...new Set(unset)] }
  if (unknownOf !== undefined) return { type: 'unknown', of: unknownOf, isSensitive: secrets.length > 0 }
  const expanded = expand(value, (placeholder) =>
    placeholder.type === 'variable'
      ? (values.variables.value(placeholder.name) ?? placeholder.fallback)
      : values.output(placeholder.address, placeholder.output),
  )
  return { type: 'known', value: expanded, secrets: [...new Set(secrets)].sort() }
}

function mayHoldPlaceholder(value: Json): boolean {
  if (typeof value === 'string') return hasPlaceholder(value)
  if (Array.isArray(value)) return value.some(mayHoldPlaceholder)
  if (!isObject(value)) return false
  return Object.entries(value).some(
    ([key, member]) => hasPlaceholder(key) || (member !== undefined && mayHoldPlaceholder(member)),
  )
}

/** Replaces every known output in the tree, keys included; variables stay placeholders. */
export function expandOutputs(tree: Tree, values: Values): Tree {
  if (!mayHoldPlaceholder(tree)) return tree
  return expand(tree, (placeholder) =>
    placeholder.type === 'output' ? values.output(placeholder.address, placeholder.output) : undefined,
  ) as Tree
}
