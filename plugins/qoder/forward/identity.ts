// Identities: the end users that forward agents act for (agent configuration 2.2). They have no ownership mark and are
// identified by the product's own id.

import { patchBody } from '../../../core/plugin/body.js'
import { handler } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { IdentityBody } from '../../kinds/identity.js'
import { declared, ownName } from '../../shared/declared.js'
import { idempotent, paging, type QoderClient } from '../client.js'
import { calledName } from '../declared.js'
import { createdAtMs, idOf, item, metadataOf } from '../wire.js'

const fields = { metadata: { map: 'patchEmpty' } } as const

export const identity = handler<QoderClient, IdentityBody>({
  kind: 'identity',
  api: 'forward',
  form: 1,
  fields,

  desired: ({ name, body }) => ({
    external_id: body.external_id,
    name: body.name ?? name,
    enabled: body.enabled ?? true,
    metadata: body.metadata,
  }),
  observed: (remote) => ({
    external_id: remote['external_id'],
    name: remote['name'],
    enabled: remote['enabled'] !== false,
    metadata: metadataOf(remote),
  }),
  outputs: (remote) => ({ id: idOf(remote) }),
  createdAtMs,

  read: ({ client, signal }, id) => client.forward.get(item('/identities', id), { signal }),
  create: (call, { desired, nonce }) => call.client.forward.create('/identities', desired, idempotent(call, nonce)),
  update: ({ client, signal }, request) =>
    client.forward.update(item('/identities', request.id), patchBody(fields, request), { signal }),
  remove: async ({ client, signal }, id) => void (await client.forward.delete(item('/identities', id), { signal })),
  removal: 'delete',
  list: ({ client, signal }) => client.forward.list('/identities', { signal }, paging),
  listIsComplete: true,

  answers: 'whole',
  replace: 'createFirst',
  identifiedBy: () => ['external_id'],
  lostCreate: { by: 'match', matches: (remote, desired) => remote['external_id'] === desired['external_id'] },
  name: calledName,
  declare: ({ remote }, index): JsonObject | undefined => {
    const { external_id, name, enabled, metadata } = identity.observed(remote)
    return {
      ...declared({ external_id, name: ownName(name, index), metadata }),
      ...(enabled === false ? { enabled } : {}),
    }
  },
})
