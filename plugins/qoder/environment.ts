// The parts that environments of both APIs share (agent configuration 2.5).
import { patchBody } from '../../core/plugin/body.js'
import type { Declaration } from '../../core/plugin/declaration.js'
import type { Call, CreateRequest, FieldTable, Remote, UpdateRequest } from '../../core/plugin/handler.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import type { EnvironmentBody } from '../kinds/environment.js'
import { objectOf } from '../shared/wire.js'
import { type Api, idempotent, type QoderClient } from './client.js'
import { collection } from './collection.js'
import { calledName } from './declared.js'
import { desiredConfig, newConfig, observedConfig, wholeConfig } from './environment-config.js'
import { item, metadataOf } from './wire.js'

/** Sends the configuration as a whole. */
const wire = (tree: Tree): JsonObject => ({ ...tree, config: wholeConfig(objectOf(tree['config'])) })

export function environmentOf(api: Api, fields: FieldTable) {
  const path = '/environments'
  return {
    ...collection(api, path),
    kind: 'environment',
    fields,
    wire,
    mark: 'metadata',

    desired: ({ name, body }: Declaration<EnvironmentBody>) => ({
      name: body.name ?? name,
      description: body.description,
      config: desiredConfig(body.config, api),
      metadata: body.metadata,
    }),
    observed: (remote: Remote) => ({
      name: remote['name'],
      description: remote['description'],
      config: observedConfig(remote['config'], api),
      metadata: metadataOf(remote),
    }),

    create: (call: Call<QoderClient>, { desired, nonce }: CreateRequest) => {
      const body = { ...desired, config: newConfig(objectOf(desired['config'])) }
      return call.client[api].create(path, body, idempotent(call, nonce))
    },
    update: ({ client, signal }: Call<QoderClient>, request: UpdateRequest) =>
      client[api].update(item(path, request.id), patchBody(fields, request, { wire }), { signal }),
    makeWay: async ({ client, signal }: Call<QoderClient>, id: string) =>
      void (await client[api].update(item(path, id), { name: `replaced ${id}` }, { signal })),
    lostCreate: { by: 'mark' },
    name: calledName,
  } as const
}
