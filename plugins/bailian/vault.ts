// Vaults: named groups of credentials, which are inner objects with ids of their own.
import { patchBody } from '../../core/plugin/body.js'
import { handler } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { VaultBody } from '../kinds/vault-body.js'
import { declaredVault } from '../shared/declared-vault.js'
import { calledName, collection } from './answers.js'
import type { BailianClient } from './client.js'
import { credentials, declarableCredential } from './credentials.js'

const fields = { metadata: { clear: {} } } as const

export const vault = handler<BailianClient, VaultBody>({
  ...collection('/vaults'),
  kind: 'vault',
  support: { reason: 'environment variable credentials; bearer tokens are refused' },
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({ display_name: body.display_name ?? name, metadata: body.metadata }),
  observed: (remote) => ({ display_name: remote['display_name'], metadata: remote['metadata'] }),

  update: ({ client, signal }, request) =>
    client.update(pathTo`/vaults/${request.id}`, patchBody(fields, request), { signal }),

  lostCreate: { by: 'mark' },
  parts: credentials,
  name: calledName,
  declare: ({ remote, parts }, index) => declaredVault(remote, [...parts.values()].map(declarableCredential), index),
})
