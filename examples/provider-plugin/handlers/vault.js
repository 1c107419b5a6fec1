// Vaults, and the credentials in them: inner objects with ids of their own, whose tokens are never answered.
import { handler, patchBody } from 'steward/plugin'
import { ownMetadata, saidOf } from './declare.js'

/**
 * @import { ApiClient, Handler, Parts } from 'steward/plugin'
 * @import { VaultBody } from 'steward/kinds'
 */

const fields = /** @type {const} */ ({ metadata: { map: 'patchNull' } })

/** @type {Parts<ApiClient, VaultBody>} */
const credentials = {
  name: 'credentials',
  policy: () => 'own',
  fields: {
    url: { immutable: true },
    token: { secret: true, writeOnly: true },
  },

  desired: ({ body }) =>
    Object.fromEntries(
      (body.credentials ?? []).flatMap((credential) =>
        credential.type === 'static_bearer'
          ? [[credential.name, { url: credential.mcp_server_url, token: credential.access_token }]]
          : [],
      ),
    ),
  list: (call, vaultId) => call.client.list(`/vaults/${vaultId}/credentials`, call),
  key: ({ name }) => String(name),
  id: ({ id }) => String(id),
  observed: ({ url }) => ({ url }),

  create: (call, vaultId, { key, desired }) =>
    call.client.create(`/vaults/${vaultId}/credentials`, { name: key, ...desired }, call),
  update: (call, vaultId, { id, desired: { token } }) =>
    call.client.update(`/vaults/${vaultId}/credentials/${id}`, { token }, { ...call, method: 'PATCH' }),
  remove: async (call, vaultId, id) => void (await call.client.delete(`/vaults/${vaultId}/credentials/${id}`, call)),
}

/** @type {Handler<ApiClient, VaultBody>} */
const typed = {
  kind: 'vault',
  support: { reason: 'bearer tokens only' },
  form: 1,
  fields,
  mark: 'metadata',

  desired: ({ name, body }) => ({ name: body.display_name ?? name, metadata: body.metadata }),
  observed: ({ name, metadata }) => ({ name, metadata }),
  outputs: ({ id }) => ({ id: String(id) }),
  createdAtMs: ({ created_at_ms }) => Number(created_at_ms),

  read: (call, id) => call.client.get(`/vaults/${id}`, call),
  create: (call, { desired }) => call.client.create('/vaults', desired, call),
  update: (call, request) =>
    call.client.update(`/vaults/${request.id}`, patchBody(fields, request), { ...call, method: 'PATCH' }),
  remove: async (call, id) => void (await call.client.delete(`/vaults/${id}`, call)),
  removal: 'delete',
  list: (call) => call.client.list('/vaults', call),

  replace: 'createFirst',
  lostCreate: { by: 'mark' },
  parts: credentials,

  name: ({ name }) => String(name),
  declare: ({ remote, parts }, index) => ({
    ...(remote['name'] === index.self ? {} : { display_name: String(remote['name']) }),
    ...saidOf({
      credentials: [...parts].map(([name, { url }]) => ({
        name,
        type: 'static_bearer',
        mcp_server_url: String(url),
        access_token: index.secret(['credentials', name, 'access_token'], index.self, name, 'token'),
      })),
      metadata: ownMetadata(remote['metadata']),
    }),
  }),
}

export const vault = handler(typed)
