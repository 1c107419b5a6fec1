// Vaults of the managed API. Credentials are separate objects, so that a changed secret affects neither the vault, nor
// its id, nor what refers to it (agent configuration 2.7).

import { patchBody } from '../../../core/plugin/body.js'
import { handler } from '../../../core/plugin/handler.js'
import { keepUndeclared } from '../../../core/plugin/undeclared.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { VaultBody } from '../../kinds/vault-body.js'
import { objectOf } from '../../shared/wire.js'
import type { QoderClient } from '../client.js'
import { collection, credentialCalls } from '../collection.js'
import { credentialFields, credentialKey, desiredCredentials, mutableAuth, observedCredential } from '../credential.js'
import { calledName, vaultBody } from '../declared.js'
import { item, metadataOf } from '../wire.js'

const fields = { metadata: { map: 'patchNull' } } as const

export const vault = handler<QoderClient, VaultBody>({
  ...collection('managed', '/vaults'),
  kind: 'vault',
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({ display_name: body.display_name ?? name, metadata: body.metadata }),
  observed: (remote) => ({ display_name: remote['display_name'], metadata: metadataOf(remote) }),

  update: ({ client, signal }, request) =>
    client.managed.update(item('/vaults', request.id), patchBody(fields, request), { signal }),

  lostCreate: { by: 'mark' },
  name: calledName,
  declare: (object, index): JsonObject | undefined => vaultBody(vault.observed(object.remote), object, index),

  parts: {
    ...credentialCalls('managed'),
    fields: credentialFields,
    desired: ({ body }) => desiredCredentials(body),
    key: credentialKey,
    observed: observedCredential,
    update: ({ client, signal }, vaultId, part) => {
      const { display_name, auth } = keepUndeclared({ fields: credentialFields }, part).body
      const body = { display_name, auth: mutableAuth(objectOf(auth)) }
      return client.managed.update(item('/vaults', vaultId, 'credentials', part.id), body, { signal })
    },
  },
})
