// Mounts of memory stores for an identity and a template, as the forward API returns them.
import { Type } from 'typebox'
import type { Call, Remote } from '../../../core/plugin/handler.js'
import { objectsOf } from '../../shared/wire.js'
import type { QoderClient } from '../client.js'
import { item } from '../wire.js'

/** Schema of a mount, which has no id of its own. */
export const Mount = Type.Object(
  { memory_store_id: Type.String({ minLength: 1 }) },
  { description: 'a mounted memory store' },
)

const Mounts = Type.Object({ data: Type.Array(Mount) }, { description: 'a list of mounted memory stores' })

export interface Pair {
  readonly identityId: string
  readonly templateId: string
}

export function mountsPath({ identityId, templateId }: Pair): string {
  return `${item('/identities', identityId)}${item('/templates', templateId, 'memory_stores')}`
}

export async function mountsOf({ client, signal }: Call<QoderClient>, pair: Pair): Promise<readonly Remote[]> {
  return objectsOf((await client.forward.get(mountsPath(pair), { signal, answer: Mounts }))['data'])
}
