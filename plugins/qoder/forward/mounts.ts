// The memory stores that an identity sees through a template, as the forward API tells of them.
import type { Call, Remote } from '../../../core/plugin/handler.js'
import type { QoderClient } from '../client.js'
import { item, objectsOf } from '../wire.js'

export interface Pair {
  readonly identityId: string
  readonly templateId: string
}

export function mountsPath({ identityId, templateId }: Pair): string {
  return `${item('/identities', identityId)}${item('/templates', templateId, 'memory_stores')}`
}

export async function mountsOf({ client, signal }: Call<QoderClient>, pair: Pair): Promise<readonly Remote[]> {
  return objectsOf((await client.forward.get(mountsPath(pair), { signal }))['data'])
}
