// Environments of the forward API: where the sessions of forward agents run. Their network cannot be limited.

import { patchBody } from '../../../core/plugin/body.js'
import { handler } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { EnvironmentBody } from '../../kinds/environment.js'
import { idempotent, paging, type QoderClient } from '../client.js'
import { calledName, environmentBody } from '../declared.js'
import { desiredConfig, newConfig, observedConfig, wholeConfig } from '../environment-config.js'
import { createdAtMs, idOf, isArchived, item, metadataOf, objectOf } from '../wire.js'

const fields = {
  description: { clear: '' },
  'config/type': { immutable: true },
  'config/packages': { unordered: true },
  metadata: { map: 'patchNull' },
} as const

export const environment = handler<QoderClient, EnvironmentBody>({
  kind: 'environment',
  api: 'forward',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({
    name: body.name ?? name,
    description: body.description,
    config: desiredConfig(body.config, 'forward'),
    metadata: body.metadata,
  }),
  observed: (remote) => ({
    name: remote['name'],
    description: remote['description'],
    config: observedConfig(remote['config'], 'forward'),
    metadata: metadataOf(remote),
  }),
  outputs: (remote) => ({ id: idOf(remote) }),
  isGone: isArchived,
  createdAtMs,

  read: ({ client, signal }, id) => client.forward.get(item('/environments', id), { signal }),
  create: (call, { desired, nonce }) => {
    const body = { ...desired, config: newConfig(objectOf(desired['config'])) }
    return call.client.forward.create('/environments', body, idempotent(call, nonce))
  },
  update: ({ client, signal }, request) => {
    const body = patchBody(fields, request)
    const config = wholeConfig(objectOf(request.desired['config']))
    const whole = body['config'] === undefined ? body : { ...body, config }
    return client.forward.update(item('/environments', request.id), whole, { signal })
  },
  remove: async ({ client, signal }, id) => void (await client.forward.delete(item('/environments', id), { signal })),
  removal: 'delete',
  list: ({ client, signal }) => client.forward.list('/environments', { signal }, paging),
  listIsComplete: true,

  answers: 'whole',
  replace: 'createFirst',
  makeWay: async ({ client, signal }, id) =>
    void (await client.forward.update(item('/environments', id), { name: `replaced ${id}` }, { signal })),
  lostCreate: { by: 'mark' },
  name: calledName,
  declare: ({ remote }, index): JsonObject | undefined => environmentBody(environment.observed(remote), index),
})
