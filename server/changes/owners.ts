// Looks up whose annotations of a layer are.
import type { Owner } from '../auth/collab.js'
import { storedAuthorship } from '../layers/stored-authorship.js'
import type { ChangeState } from './state.js'

/** Returns a lookup of the stored owners of annotations. */
export const ownersOf =
  ({ context, owner }: ChangeState) =>
  async (annotation: number): Promise<Owner> => {
    const row = await storedAuthorship(context.deployment.tables, owner, annotation)
    return { userId: row?.userId ?? null, groupId: row?.groupId ?? null }
  }
