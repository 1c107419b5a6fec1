// Sessions in the way: which ones use an environment, and how they are ended.
import { AnyObject } from '../../core/plugin/answer.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { Blocker, Call } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { ArkClient } from './client.js'

/** States in which a session keeps its environment. */
const living: ReadonlySet<unknown> = new Set(['idle', 'running', 'rescheduling'])

/** Waits before a session that was interrupted is deleted again. */
const restsAfterMs = [500, 1_000, 2_000, 4_000, 8_000] as const

export async function sessionsIn(call: Call<ArkClient>, environmentId: string): Promise<readonly Blocker<ArkClient>[]> {
  const blockers: Blocker<ArkClient>[] = []
  for await (const { id, environment_id, status } of call.client.list('/sessions', { signal: call.signal }))
    if (environment_id === environmentId && living.has(status))
      blockers.push({ label: `session ${id} (${status})`, end: (call) => endSession(call, String(id)) })
  return blockers
}

/** A running session is not deleted but interrupted first, and comes to rest when it is ready to. */
export async function endSession({ client, signal }: Call<ArkClient>, id: string): Promise<void> {
  const path = pathTo`/sessions/${id}`
  for (const waitMs of restsAfterMs) {
    try {
      return void (await client.delete(path, { signal }))
    } catch (error) {
      if (isFailure(error, 'gone')) return
      if (!isFailure(error, 'inUse')) throw error
      await client.update(`${path}/events`, { events: [{ type: 'user.interrupt' }] }, { signal, answer: AnyObject })
      await client.wait(waitMs, signal)
    }
  }
  await client.delete(path, { signal })
}
