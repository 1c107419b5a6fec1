// Refuses every write of a layer while it is being signed: the prepared section contains its edits as they are.
import { Refusal } from '../refusals/refusal.js'
import type { LayerRow } from '../rows/layer.js'
import type { ChangeState } from './state.js'

/** Returns the signing in progress; undefined if there is none, or its time is over. */
export function pendingSigning({ context, layer }: Pick<ChangeState, 'context' | 'layer'>): LayerRow['signing'] {
  const signing = layer?.signing
  return signing !== undefined && signing.expiresAt > context.deployment.clock.now() ? signing : undefined
}

/**
 * Throws `SigningPending` while the layer is being signed. This refusal is not stored: the change may be sent again.
 */
export function refusePending(state: Pick<ChangeState, 'context' | 'layer'>): void {
  const signing = pendingSigning(state)
  if (signing !== undefined) throw signingPending(signing)
}

/** `heldBy`: user id, name or subject of who prepared the signing. */
export function signingPending({ id, expiresAt }: NonNullable<LayerRow['signing']>, heldBy?: string): Refusal {
  const by = heldBy === undefined ? '' : ` by ${heldBy.slice(0, 200)}`
  return new Refusal('SigningPending', `The layer is being signed${by}, and cannot be changed until that is over`, {
    details: { signingId: id, expiresAt: new Date(expiresAt).toISOString(), ...(heldBy !== undefined && { heldBy }) },
  })
}
