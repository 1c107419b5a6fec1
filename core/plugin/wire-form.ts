// How a tree becomes a request: what handlers and their parts say about it, so that updates and plans know what the
// provider has and no declaration can express.
import type { JsonObject, Tree } from '../value/tree.js'

export interface WireForm {
  /** Returns the whole object as requests contain it; absent if requests have the shape of the tree. Pure. */
  wire?(tree: Tree, remote: JsonObject): JsonObject
  /**
   * Members that the server adds or keeps by itself and requests must not contain: patterns of their paths, with `*`
   * for an element of a list or any key (`schedule/last_run_at`).
   */
  readonly added?: readonly string[]
  /**
   * Only if an update replaces the whole object and clears what it lacks: members that the server makes by itself. Other
   * members that no handler knows are lost, and the plan names them.
   */
  readonly replacesAllBut?: readonly string[]
  /**
   * Members, by pattern, whose change makes undeclared members beside them meaningless (`model/id`); they are then not
   * sent, and the plan names them. `type` always is one.
   */
  readonly decisive?: readonly string[]
}
