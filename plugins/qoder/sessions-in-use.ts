// Sessions that block the removal of an object, for display and for `--cascade` to end.
import type { Blocker, Call, Remote } from '../../core/plugin/handler.js'
import { objectOf, textOf } from '../shared/wire.js'
import { paging, type QoderClient } from './client.js'
import { idOf, isArchived, item } from './wire.js'

/** Yields the sessions of an object; the API has no filter by environment, so all sessions are read. */
export async function sessionsOf(
  call: Call<QoderClient>,
  uses: (session: Remote) => boolean,
): Promise<readonly Blocker<QoderClient>[]> {
  const { client, signal } = call
  const found: Blocker<QoderClient>[] = []
  for await (const session of client.managed.list('/sessions', { signal }, paging)) {
    if (!uses(session) || isArchived(session) || session['status'] === 'terminated') continue
    const id = idOf(session)
    found.push({
      label: `session ${id} (${textOf(session['status']) || 'status unknown'})`,
      end: async (ending) =>
        void (await ending.client.managed.delete(item('/sessions', id), { signal: ending.signal })),
    })
  }
  return found
}

/** Returns the id of the session's agent: lists contain `agent_id`, single responses an `agent` object. */
export function agentOf(session: Remote): string {
  return textOf(session['agent_id']) || textOf(objectOf(session['agent'])['id']) || textOf(session['agent'])
}
