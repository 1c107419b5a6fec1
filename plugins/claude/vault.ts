// Vaults: named groups of credentials, which are inner objects with ids of their own (agent configuration 2.7).
import { patchBody } from '../../core/plugin/body.js'
import { type FieldTable, handler } from '../../core/plugin/handler.js'
import type { VaultBody } from '../kinds/vault-body.js'
import { declaredVault } from '../shared/declared-vault.js'
import { calledName, calls, createdAtMs, idOutput, isArchived } from './answers.js'
import type { ClaudeClient } from './client.js'
import { credentials } from './credentials.js'

const { read, create, update, remove, list } = calls('/vaults')

const fields: FieldTable = { metadata: { map: 'patchNull' } }

export const vault = handler<ClaudeClient, VaultBody>({
  kind: 'vault',
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({ display_name: body.display_name ?? name, metadata: body.metadata }),
  observed: ({ display_name, metadata }) => ({ display_name, metadata }),
  outputs: idOutput,
  isGone: isArchived,
  createdAtMs,

  read,
  create: (call, { desired }) => create(call, desired),
  update: (call, request) => update(call, request.id, patchBody(fields, request)),
  remove,
  removal: 'delete',
  list,
  listIsComplete: true,

  answers: 'whole',
  replace: 'createFirst',
  lostCreate: { by: 'mark' },
  parts: credentials,
  name: ({ display_name }) => calledName({ name: display_name }),
  declare: ({ remote, parts }, index) => declaredVault(remote, [...parts.values()].map(credentials.observed), index),
})
