// Deleting a store that the system mounted itself: it takes the mount down on its own, some time after the identity and
// the template are gone (agent configuration 2.12).
import { problem } from '../../../core/diagnostic.js'
import { type ApiFailure, isFailure } from '../../../core/plugin/failure.js'
import type { Call } from '../../../core/plugin/handler.js'
import type { QoderClient } from '../client.js'
import { item } from '../wire.js'

/** Waits for the system to take its mount down. */
const unmountsAfterMs = [1_000, 2_000, 4_000, 8_000] as const

const aboutMounts = /still mounted|already archived/i

/** Through the managed API, which alone clears what is left of a mount. */
export async function deleteMountedStore(call: Call<QoderClient>, id: string): Promise<void> {
  const { client, signal } = call
  const first = await deletePatiently(call, id)
  if (first === 'deleted') return
  await client.managed.update(item('/memory_stores', id, 'archive'), {}, { signal })
  const second = await deletePatiently(call, id)
  if (second === 'deleted') return
  throw problem('qoder.default-memory-still-mounted', 'The default memory store is still mounted', {
    detail: `Qoder has not unmounted ${id} yet, and deletes it only then: ${second.message}`,
    fix: 'Run "agents destroy" again later; the store is kept in state until then.',
    cause: second,
  })
}

async function deletePatiently({ client, signal }: Call<QoderClient>, id: string): Promise<'deleted' | ApiFailure> {
  for (let attempt = 0; ; attempt++) {
    try {
      await client.managed.delete(item('/memory_stores', id), { signal })
      return 'deleted'
    } catch (error) {
      if (isFailure(error, 'gone')) return 'deleted'
      if (!isFailure(error) || error.status !== 409 || !aboutMounts.test(error.message)) throw error
      const waitMs = unmountsAfterMs[attempt]
      if (waitMs === undefined) return error
      await client.wait(waitMs, signal)
    }
  }
}
