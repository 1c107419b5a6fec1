// Ends sessions: the server refuses to archive or delete a running one, so it is interrupted first.
import { AnyObject } from '../../core/plugin/answer.js'
import { isFailure } from '../../core/plugin/failure.js'
import type { Call } from '../../core/plugin/handler.js'
import { item } from '../shared/collection.js'
import { isArchived } from './answers.js'
import type { ClaudeClient } from './client.js'

/** Delays while an interrupted session stops. */
const restsAfterMs = [500, 1_000, 2_000, 4_000, 8_000] as const

export function archiveSession(call: Call<ClaudeClient>, id: string): Promise<void> {
  const { client, signal } = call
  return end(call, id, () => client.update(`${item('/sessions', id)}/archive`, {}, { signal }))
}

export function deleteSession(call: Call<ClaudeClient>, id: string): Promise<void> {
  const { client, signal } = call
  return end(call, id, () => client.delete(item('/sessions', id), { signal }))
}

/** Ends a session. One that is archived or gone counts as ended; a deletion also removes archived ones. */
async function end({ client, signal }: Call<ClaudeClient>, id: string, send: () => Promise<unknown>): Promise<void> {
  const path = item('/sessions', id)
  for (const waitMs of restsAfterMs) {
    try {
      return void (await send())
    } catch (error) {
      if (isFailure(error, 'gone')) return
      if (!isFailure(error, 'invalid', 'inUse', 'stale')) throw error
      const session = await client.get(path, { signal })
      if (isArchived(session)) return
      if (session['status'] !== 'running') throw error
      await client.update(`${path}/events`, { events: [{ type: 'user.interrupt' }] }, { signal, answer: AnyObject })
      await client.wait(waitMs, signal)
    }
  }
  await send()
}
