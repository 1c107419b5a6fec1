// Environments of the managed API: where the sessions of managed agents run (agent configuration 2.5).

import { patchBody } from '../../../core/plugin/body.js'
import { isFailure } from '../../../core/plugin/failure.js'
import { handler } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { EnvironmentBody } from '../../kinds/environment.js'
import { idempotent, paging, type QoderClient } from '../client.js'
import { calledName, environmentBody } from '../declared.js'
import { desiredConfig, newConfig, observedConfig, wholeConfig } from '../environment-config.js'
import { sessionsOf } from '../sessions-in-use.js'
import { createdAtMs, idOf, isArchived, item, metadataOf, objectOf } from '../wire.js'

const fields = {
  description: { clear: '' },
  'config/type': { immutable: true },
  'config/packages': { unordered: true },
  'config/networking/allowed_hosts': { unordered: true },
  metadata: { map: 'patchNull' },
} as const

export const environment = handler<QoderClient, EnvironmentBody>({
  kind: 'environment',
  api: 'managed',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({
    name: body.name ?? name,
    description: body.description,
    config: desiredConfig(body.config, 'managed'),
    metadata: body.metadata,
  }),
  observed: (remote) => ({
    name: remote['name'],
    description: remote['description'],
    config: observedConfig(remote['config'], 'managed'),
    metadata: metadataOf(remote),
  }),
  outputs: (remote) => ({ id: idOf(remote) }),
  isGone: isArchived,
  createdAtMs,

  /** An external environment may live in either API; the prefix of its id does not tell which. */
  read: async ({ client, signal }, id) => {
    try {
      return await client.managed.get(item('/environments', id), { signal })
    } catch (error) {
      if (!isFailure(error, 'gone')) throw error
      return client.forward.get(item('/environments', id), { signal })
    }
  },
  create: (call, { desired, nonce }) => {
    const body = { ...desired, config: newConfig(objectOf(desired['config'])) }
    return call.client.managed.create('/environments', body, idempotent(call, nonce))
  },
  update: ({ client, signal }, request) => {
    const body = patchBody(fields, request)
    const isConfigChanged = body['config'] !== undefined
    const config = wholeConfig(objectOf(request.desired['config']))
    return client.managed.update(item('/environments', request.id), isConfigChanged ? { ...body, config } : body, {
      signal,
    })
  },
  remove: async (call, id) => {
    const { client, signal } = call
    try {
      await client.managed.delete(item('/environments', id), { signal })
    } catch (error) {
      if (!isFailure(error, 'inUse')) throw error
      const sessions = await sessionsOf(call, (session) => session['environment_id'] === id)
      if (sessions.length > 0) throw error
      // The server still counts sessions that are over; an archived environment needs no count.
      await client.managed.update(item('/environments', id, 'archive'), {}, { signal })
    }
  },
  removal: 'delete',
  list: ({ client, signal }) => client.managed.list('/environments', { signal }, paging),
  listIsComplete: true,
  blockers: (call, id) => sessionsOf(call, (session) => session['environment_id'] === id),

  answers: 'whole',
  replace: 'createFirst',
  makeWay: async ({ client, signal }, id) =>
    void (await client.managed.update(item('/environments', id), { name: `replaced ${id}` }, { signal })),
  lostCreate: { by: 'mark' },
  name: calledName,
  declare: ({ remote }, index): JsonObject | undefined => environmentBody(environment.observed(remote), index),
})
