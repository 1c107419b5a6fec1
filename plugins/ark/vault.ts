// Vaults: named groups of credentials, which are inner objects with ids of their own.
import { patchBody } from '../../core/plugin/body.js'
import { handler } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { VaultBody } from '../kinds/vault-body.js'
import { declaredVault } from '../shared/declared-vault.js'
import { calledName, collection } from './answers.js'
import type { ArkClient } from './client.js'
import { credentials } from './credentials.js'
import { patch } from './patch.js'

const fields = { metadata: { map: 'patchNull' } } as const

export const vault = handler<ArkClient, VaultBody>({
  ...collection('/vaults'),
  kind: 'vault',
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({ display_name: body.display_name ?? name, metadata: body.metadata }),
  observed: (remote) => ({ display_name: remote['display_name'], metadata: remote['metadata'] }),

  update: (call, request) => patch(call, pathTo`/vaults/${request.id}`, patchBody(fields, request)),

  lostCreate: { by: 'mark' },
  parts: credentials,
  name: ({ display_name }) => calledName({ name: display_name }),
  declare: ({ remote, parts }, index) => declaredVault(remote, [...parts.values()].map(credentials.observed), index),
})
