// Vaults: named groups of credentials, which are inner objects with ids of their own.
import { patchBody } from '../../core/plugin/body.js'
import { type Call, handler } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { VaultBody } from '../kinds/vault-body.js'
import { declaredVault } from '../shared/declared-vault.js'
import { calledName, createdAtMs, idOutput } from './answers.js'
import type { ArkClient } from './client.js'
import { credentials } from './credentials.js'
import { patch } from './patch.js'

const fields = { metadata: { map: 'patchNull' } } as const

export const vault = handler<ArkClient, VaultBody>({
  kind: 'vault',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({ display_name: body.display_name ?? name, metadata: body.metadata }),
  observed: (remote) => ({ display_name: remote['display_name'], metadata: remote['metadata'] }),
  outputs: idOutput,
  createdAtMs,

  read: ({ client, signal }, id) => client.get(pathTo`/vaults/${id}`, { signal }),
  create: ({ client, signal }, { desired }) => client.create('/vaults', desired, { signal }),
  update: (call, request) => patch(call, pathTo`/vaults/${request.id}`, patchBody(fields, request)),
  remove: async ({ client, signal }, id) => void (await client.delete(pathTo`/vaults/${id}`, { signal })),
  removal: 'delete',
  list: ({ client, signal }: Call<ArkClient>) => client.list('/vaults', { signal }),
  listIsComplete: true,

  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'mark' },
  parts: credentials,
  name: ({ display_name }) => calledName({ name: display_name }),
  declare: ({ remote, parts }, index) => declaredVault(remote, [...parts.values()].map(credentials.observed), index),
})
