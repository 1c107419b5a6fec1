// Vaults: named groups of credentials, which are inner objects with ids of their own (agent configuration 2.7).
import { patchBody } from '../../core/plugin/body.js'
import { type FieldTable, handler } from '../../core/plugin/handler.js'
import type { VaultBody } from '../kinds/vault-body.js'
import { item } from '../shared/collection.js'
import { declaredVault } from '../shared/declared-vault.js'
import { calledName, collection } from './answers.js'
import type { ClaudeClient } from './client.js'
import { credentials } from './credentials.js'

const fields: FieldTable = { metadata: { map: 'patchNull' } }

export const vault = handler<ClaudeClient, VaultBody>({
  ...collection('/vaults'),
  kind: 'vault',
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({ display_name: body.display_name ?? name, metadata: body.metadata }),
  observed: ({ display_name, metadata }) => ({ display_name, metadata }),

  update: ({ client, signal }, request) =>
    client.update(item('/vaults', request.id), patchBody(fields, request), { signal }),

  lostCreate: { by: 'mark' },
  parts: credentials,
  name: ({ display_name }) => calledName({ name: display_name }),
  declare: ({ remote, parts }, index) => declaredVault(remote, [...parts.values()].map(credentials.observed), index),
})
