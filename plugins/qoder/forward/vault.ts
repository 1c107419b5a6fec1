// Vaults of the forward API. It has no call to change a vault or a credential, so either is replaced.

import { handler } from '../../../core/plugin/handler.js'
import type { JsonObject } from '../../../core/value/tree.js'
import type { VaultBody } from '../../kinds/vault-body.js'
import type { QoderClient } from '../client.js'
import { collection, credentialCalls } from '../collection.js'
import { credentialFields, credentialKey, desiredCredentials, observedCredential } from '../credential.js'
import { calledName, vaultBody } from '../declared.js'
import { metadataOf } from '../wire.js'

export const vault = handler<QoderClient, VaultBody>({
  ...collection('forward', '/vaults'),
  kind: 'vault',
  support: {
    reason: 'credentials are replaced instead of updated; environment variable credentials are not documented',
  },
  fields: { display_name: { immutable: true }, metadata: { immutable: true } },
  mark: 'metadata',

  desired: ({ name, body }) => ({ display_name: body.display_name ?? name, metadata: body.metadata }),
  observed: (remote) => ({ display_name: remote['display_name'], metadata: metadataOf(remote) }),

  lostCreate: { by: 'mark' },
  name: calledName,
  declare: (object, index): JsonObject | undefined => vaultBody(vault.observed(object.remote), object, index),

  parts: {
    ...credentialCalls('forward'),
    fields: credentialFields,
    // The API accepts names of credentials without storing them, so comparing a name would replace the credential for
    // nothing.
    desired: ({ body }) =>
      Object.fromEntries(Object.entries(desiredCredentials(body)).map(([key, { auth }]) => [key, { auth }])),
    key: credentialKey,
    observed: observedCredential,
  },
})
