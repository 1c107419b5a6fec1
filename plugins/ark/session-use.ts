// Finds sessions that use an environment and therefore block its removal, and ends them.
import { AnyObject } from '../../core/plugin/answer.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { Blocker, Call } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { ArkClient } from './client.js'

/** States in which a session uses its environment. */
const living: ReadonlySet<unknown> = new Set(['idle', 'running', 'rescheduling'])

/** Delays before retrying to delete a session that was interrupted. */
const restsAfterMs = [500, 1_000, 2_000, 4_000, 8_000] as const

export async function sessionsIn(call: Call<ArkClient>, environmentId: string): Promise<readonly Blocker<ArkClient>[]> {
  const blockers: Blocker<ArkClient>[] = []
  for await (const { id, environment_id, status } of call.client.list('/sessions', { signal: call.signal }))
    if (environment_id === environmentId && living.has(status))
      blockers.push({ label: `session ${id} (${status})`, end: (call) => endSession(call, String(id)) })
  return blockers
}

/** Deletes a session. A running one must be interrupted first and stops some time later. */
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
