// Vaults of the managed API. Credentials are objects of their own, so that one changed secret leaves the vault, its id
// and everything that names it alone (agent configuration 2.7).

import { patchBody } from '../../../core/plugin/body.js'
import { handler } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { VaultBody } from '../../kinds/vault-body.js'
import { idempotent, paging, type QoderClient } from '../client.js'
import { credentialFields, credentialKey, desiredCredentials, mutableAuth, observedCredential } from '../credential.js'
import { calledName, vaultBody } from '../declared.js'
import { createdAtMs, idOf, isArchived, item, metadataOf, objectOf } from '../wire.js'

const fields = { metadata: { map: 'patchNull' } } as const

export const vault = handler<QoderClient, VaultBody>({
  kind: 'vault',
  api: 'managed',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({ display_name: body.display_name ?? name, metadata: body.metadata }),
  observed: (remote) => ({ display_name: remote['display_name'], metadata: metadataOf(remote) }),
  outputs: (remote) => ({ id: idOf(remote) }),
  isGone: isArchived,
  createdAtMs,

  read: ({ client, signal }, id) => client.managed.get(item('/vaults', id), { signal }),
  create: (call, { desired, nonce }) => call.client.managed.create('/vaults', desired, idempotent(call, nonce)),
  update: ({ client, signal }, request) =>
    client.managed.update(item('/vaults', request.id), patchBody(fields, request), { signal }),
  remove: async ({ client, signal }, id) => void (await client.managed.delete(item('/vaults', id), { signal })),
  removal: 'delete',
  list: ({ client, signal }) => client.managed.list('/vaults', { signal }, paging),
  listIsComplete: true,

  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'mark' },
  name: calledName,
  declare: (object, index): JsonObject | undefined => vaultBody(vault.observed(object.remote), object, index),

  parts: {
    name: 'credentials',
    policy: () => 'own',
    fields: credentialFields,
    desired: ({ body }) => desiredCredentials(body),
    list: ({ client, signal }, vaultId) =>
      client.managed.list(item('/vaults', vaultId, 'credentials'), { signal }, paging),
    key: credentialKey,
    id: idOf,
    observed: observedCredential,
    isGone: isArchived,
    create: ({ client, signal }, vaultId, { desired }) =>
      client.managed.create(item('/vaults', vaultId, 'credentials'), desired, { signal }),
    update: ({ client, signal }, vaultId, { id, desired }) =>
      client.managed.update(
        item('/vaults', vaultId, 'credentials', id),
        { display_name: desired['display_name'], auth: mutableAuth(objectOf(desired['auth'])) },
        { signal },
      ),
    remove: async ({ client, signal }, vaultId, id) =>
      void (await client.managed.delete(item('/vaults', vaultId, 'credentials', id), { signal })),
  },
})
