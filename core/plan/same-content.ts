// Determines whether an object equals a create in all members that it shows. It compares hashes recorded in the row, so
// it works after the declaration was changed or removed.

import { isFailure } from '../plugin/failure.js'
import type { Call, Handler, Remote } from '../plugin/handler.js'
import type { Row } from '../state/row.js'
import { type Json, type LeafPath, leavesOf } from '../value/tree.js'
import { absentHash, baseOf } from './base.js'
import { downloaded } from './downloaded.js'
import { fieldOf, hashLeaf, type LeafHasher } from './hasher.js'

export interface WantedContent {
  readonly handler: Handler
  readonly call: Call<unknown>
  /** Row as recorded before the create. */
  readonly row: Row
  readonly hasher: LeafHasher
}

/** True if the object shows the desired leaves. `digest` is the leaf with the digest of the object's download. */
export async function equalsCreate(
  { handler, call, row, hasher }: WantedContent,
  remote: Remote,
  digest: LeafPath | undefined,
): Promise<boolean> {
  const isWanted = async (path: LeafPath, value: Json) => {
    const wanted = baseOf(handler, row, path)?.desired ?? absentHash
    return wanted === (await hashLeaf(hasher, fieldOf(handler, path), value, []))
  }
  const shown = leavesOf(handler.observed(remote))
  for (const [path, value] of shown) if (!(await isWanted(path, value))) return false
  if (digest === undefined) return shown.size > 0
  try {
    const found = await downloaded(handler, call, remote)
    return found?.type === 'content' && (await isWanted(digest, found.sha256))
  } catch (error) {
    // If the content cannot be compared, there is no proof that the object is the created one.
    if (isFailure(error, 'gone', 'invalid', 'denied')) return false
    throw error
  }
}
