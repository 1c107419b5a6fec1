// Environments of the managed API: where the sessions of managed agents run (agent configuration 2.5).

import { isFailure } from '../../../core/plugin/failure.js'
import { handler } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { EnvironmentBody } from '../../kinds/environment.js'
import type { QoderClient } from '../client.js'
import { environmentBody } from '../declared.js'
import { environmentOf } from '../environment.js'
import { sessionsOf } from '../sessions-in-use.js'
import { item } from '../wire.js'

const fields = {
  description: { clear: '' },
  'config/type': { immutable: true },
  'config/packages': { unordered: true },
  'config/networking/allowed_hosts': { unordered: true },
  metadata: { map: 'patchNull' },
} as const

export const environment = handler<QoderClient, EnvironmentBody>({
  ...environmentOf('managed', fields),
  support: { reason: 'apt, npm and pip packages only' },

  /** An external environment may be in either API; the prefix of its id is the same in both. */
  read: async ({ client, signal }, id) => {
    try {
      return await client.managed.get(item('/environments', id), { signal })
    } catch (error) {
      if (!isFailure(error, 'gone')) throw error
      return client.forward.get(item('/environments', id), { signal })
    }
  },
  remove: async (call, id) => {
    const { client, signal } = call
    try {
      await client.managed.delete(item('/environments', id), { signal })
    } catch (error) {
      if (!isFailure(error, 'inUse')) throw error
      const sessions = await sessionsOf(call, (session) => session['environment_id'] === id)
      if (sessions.length > 0) throw error
      // The server counts ended sessions too, and refuses to delete the environment; archiving does not depend on the
      // count.
      await client.managed.update(item('/environments', id, 'archive'), {}, { signal })
    }
  },
  blockers: (call, id) => sessionsOf(call, (session) => session['environment_id'] === id),

  declare: ({ remote }, index): JsonObject | undefined => environmentBody(environment.observed(remote), index),
})
