// Vaults of the forward API. It has no call to change a vault or a credential, so either is made anew.

import { handler } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { VaultBody } from '../../kinds/vault-body.js'
import { idempotent, paging, type QoderClient } from '../client.js'
import { credentialFields, credentialKey, desiredCredentials, observedCredential } from '../credential.js'
import { calledName, vaultBody } from '../declared.js'
import { createdAtMs, idOf, isArchived, item, metadataOf } from '../wire.js'

export const vault = handler<QoderClient, VaultBody>({
  kind: 'vault',
  api: 'forward',
  form: 1,
  fields: { display_name: { immutable: true }, metadata: { immutable: true } },
  mark: 'metadata',

  desired: ({ name, body }) => ({ display_name: body.display_name ?? name, metadata: body.metadata }),
  observed: (remote) => ({ display_name: remote['display_name'], metadata: metadataOf(remote) }),
  outputs: (remote) => ({ id: idOf(remote) }),
  isGone: isArchived,
  createdAtMs,

  read: ({ client, signal }, id) => client.forward.get(item('/vaults', id), { signal }),
  create: (call, { desired, nonce }) => call.client.forward.create('/vaults', desired, idempotent(call, nonce)),
  remove: async ({ client, signal }, id) => void (await client.forward.delete(item('/vaults', id), { signal })),
  removal: 'delete',
  list: ({ client, signal }) => client.forward.list('/vaults', { signal }, paging),
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
    // Names of credentials are accepted here and not kept; one that changes would only replace the credential.
    desired: ({ body }) =>
      Object.fromEntries(Object.entries(desiredCredentials(body)).map(([key, { auth }]) => [key, { auth }])),
    list: ({ client, signal }, vaultId) =>
      client.forward.list(item('/vaults', vaultId, 'credentials'), { signal }, paging),
    key: credentialKey,
    id: idOf,
    observed: observedCredential,
    isGone: isArchived,
    create: ({ client, signal }, vaultId, { desired }) =>
      client.forward.create(item('/vaults', vaultId, 'credentials'), desired, { signal }),
    remove: async ({ client, signal }, vaultId, id) =>
      void (await client.forward.delete(item('/vaults', vaultId, 'credentials', id), { signal })),
  },
})
