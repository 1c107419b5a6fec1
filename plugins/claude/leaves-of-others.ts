// Keeps what others set in members that an update replaces as a whole, where agents.yaml has words for it and the
// declaration uses none: an undeclared limit of a tool is no limit of ours to lift.
import type { UpdateRequest } from '../../core/plugin/handler.js'
import { type Json, leafKeys, leavesOf, type Tree } from '../../core/value/tree.js'

/** Returns the request with the observed leaves below `branches` that it neither wants nor changes. */
export function withLeavesOfOthers(request: UpdateRequest, branches: readonly string[]): UpdateRequest {
  const wanted = leavesOf(request.desired)
  const changed = new Set(request.changes.map(({ path }) => path))
  const kept = [...leavesOf(request.observed)].filter(
    ([path]) =>
      !wanted.has(path) && !changed.has(path) && branches.some((branch) => `${path}/`.startsWith(`${branch}/`)),
  )
  const desired = kept.reduce<Tree>((tree, [path, value]) => withLeaf(tree, leafKeys(path), value), request.desired)
  return { ...request, desired }
}

function withLeaf(tree: Json | undefined, [key = '', ...rest]: readonly string[], value: Json): Tree {
  const branch = typeof tree === 'object' && tree !== null && !Array.isArray(tree) ? (tree as Tree) : {}
  return { ...branch, [key]: rest.length === 0 ? value : withLeaf(branch[key], rest, value) }
}
