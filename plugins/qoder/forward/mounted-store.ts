// Deletes a store that the system mounted itself: the system removes the mount some time after the identity and the
// template are gone (agent configuration 2.12).

import { type ApiFailure, isFailure } from '../../../core/plugin/failure.js'
import type { Call } from '../../../core/plugin/handler.js'
import { paging, type QoderClient } from '../client.js'
import { diagnostic, problem } from '../problems.js'
import { idOf, item } from '../wire.js'
import { mountsOf } from './mounts.js'

/** Delays while the system removes its mount. */
const unmountsAfterMs = [1_000, 2_000, 4_000, 8_000] as const

const aboutMounts = /still mounted|already archived/i

/** Deletes a store through the managed API, because only that API also removes leftover mounts. */
export async function deleteMountedStore(call: Call<QoderClient>, id: string): Promise<void> {
  const { client, signal } = call
  const first = await deletePatiently(call, id)
  if (first === 'deleted') return
  if (first === 'used')
    return call.report(
      diagnostic('qoder.default-memory-kept', {
        detail: `${id} was left alone: the identity and the agent whose sessions write to it are still there.`,
      }),
    )
  await client.managed.update(item('/memory_stores', id, 'archive'), {}, { signal })
  const second = await deletePatiently(call, id)
  if (second === 'deleted' || second === 'used') return
  throw problem('qoder.default-memory-still-mounted', {
    detail: `Qoder has not unmounted ${id} yet, and deletes it only then: ${second.message}`,
    cause: second,
  })
}

async function deletePatiently(call: Call<QoderClient>, id: string): Promise<'deleted' | 'used' | ApiFailure> {
  const { client, signal } = call
  for (let attempt = 0; ; attempt++) {
    try {
      await client.managed.delete(item('/memory_stores', id), { signal })
      return 'deleted'
    } catch (error) {
      if (isFailure(error, 'gone')) return 'deleted'
      if (!isFailure(error) || error.status !== 409 || !aboutMounts.test(error.message)) throw error
      if (attempt === 0 && (await isUsed(call, id))) return 'used'
      const waitMs = unmountsAfterMs[attempt]
      if (waitMs === undefined) return error
      await client.wait(waitMs, signal)
    }
  }
}

/**
 * True if both the store's identity and a template that mounts it exist. Then the store is still in use although
 * agents.yaml no longer names it: the next session continues with it, and archiving would disconnect it permanently.
 */
async function isUsed(call: Call<QoderClient>, id: string): Promise<boolean> {
  const { client, signal } = call
  const { identity_id: identityId } = await client.forward.get(item('/memory_stores', id), { signal })
  if (typeof identityId !== 'string') return false
  try {
    const query = { status: 'active' }
    for await (const template of client.forward.list('/templates', { signal, query }, paging)) {
      const mounts = await mountsOf(call, { identityId, templateId: idOf(template) })
      if (mounts.some((mount) => mount['memory_store_id'] === id)) return true
    }
  } catch (error) {
    if (!isFailure(error, 'gone')) throw error // The identity is gone, or the template was removed in between.
  }
  return false
}
