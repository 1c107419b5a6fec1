// Emulated credentials: their purpose is returned and never changes, their secrets are never returned.

import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Collection, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata } from './metadata.js'
import { type Api, vaultCollections } from './names.js'
import { archive, type Context, change, exact, find, findActive, make } from './object.js'

const credentials = 'credentials'

const Networking = Type.Union([
  Type.Object({ type: Type.Literal('unrestricted') }, exact),
  Type.Object({ type: Type.Literal('limited'), allowed_hosts: Type.Array(Type.String(), { minItems: 1 }) }, exact),
])

const Auth = Type.Union([
  Type.Object(
    {
      type: Type.Literal('static_bearer'),
      mcp_server_url: Type.String({ minLength: 1 }),
      token: Type.String({ minLength: 1 }),
    },
    exact,
  ),
  Type.Object(
    {
      type: Type.Literal('environment_variable'),
      secret_name: Type.String({ minLength: 1 }),
      secret_value: Type.String({ minLength: 1 }),
      networking: Type.Optional(Networking),
    },
    exact,
  ),
])

const AuthPatch = Type.Object(
  {
    type: Type.Enum(['static_bearer', 'environment_variable']),
    mcp_server_url: Type.Optional(Type.String()),
    secret_name: Type.Optional(Type.String()),
    token: Type.Optional(Type.String({ minLength: 1 })),
    secret_value: Type.Optional(Type.String({ minLength: 1 })),
    networking: Type.Optional(Networking),
  },
  exact,
)

const Create = Type.Object(
  { auth: Auth, display_name: Type.Optional(Type.String()), metadata: Type.Optional(Metadata) },
  exact,
)
const Update = Type.Object(
  {
    auth: Type.Optional(AuthPatch),
    display_name: Type.Optional(Type.String()),
    metadata: Type.Optional(MetadataPatch),
  },
  exact,
)

const secretMembers = ['token', 'secret_value'] as const
const fixedMembers = ['type', 'mcp_server_url', 'secret_name'] as const

export const credentialCollection: Collection = { kind: 'credential', isTopLevel: false, isPermanent: false }

export function credentialRoutes(api: Api): readonly Route[] {
  const vaults = vaultCollections[api]
  const shared = [
    route({
      method: 'POST',
      path: '/vaults/:id/credentials',
      body: Create,
      handle: once(`${api} credentials`, (request) => {
        const vault = findActive(request, vaults, request.params['id'])
        return { status: 201, body: makeCredential(api, request, vault, request.body).body }
      }),
    }),
    route({
      method: 'GET',
      path: '/vaults/:id/credentials',
      query: listQuery('both', {}),
      handle(request) {
        const vault = find(request, vaults, request.params['id'])
        return list(request.store.childrenOf(credentials, vault.id), request, { cursors: 'both' })
      },
    }),
    route({
      method: 'GET',
      path: '/vaults/:id/credentials/:credential',
      handle: (request) => ({ body: findCredential(request, request.params).body }),
    }),
    route({
      method: 'DELETE',
      path: '/vaults/:id/credentials/:credential',
      handle(request) {
        const current = findCredential(request, request.params)
        request.store.remove(current)
        const body = { id: current.id, type: 'vault_credential_deleted', deleted: true }
        return api === 'forward' ? { status: 204 } : { body }
      },
    }),
  ]
  return api === 'forward' ? shared : [...shared, ...managedOnly]
}

const managedOnly: readonly Route[] = [
  route({
    method: 'POST',
    path: '/vaults/:id/credentials/:credential',
    body: Update,
    handle(request) {
      const { auth, metadata } = request.body
      const current = findCredential(request, request.params)
      const merged = metadata && patchedMetadata(current.body['metadata'], metadata, { deletes: [null] })
      const changed = change(
        request,
        current,
        { ...(auth ? { auth: mergedAuth(current, auth) } : {}), ...(merged ? { metadata: merged } : {}) },
        secretsOf(auth ?? {}),
      )
      return { body: changed.body }
    },
  }),
  route({
    method: 'POST',
    path: '/vaults/:id/credentials/:credential/archive',
    handle: (request) => ({ body: archive(request, findCredential(request, request.params)).body }),
  }),
]

function makeCredential(api: Api, context: Context, vault: StoredObject, body: Static<typeof Create>): StoredObject {
  const auth = {
    ...body.auth,
    ...(body.auth.type === 'environment_variable' ? { networking: networkOf(body.auth) } : {}),
  }
  for (const { body: other } of context.store.childrenOf(credentials, vault.id)) {
    const current = other['auth'] as JsonObject // Created by this function.
    if (fixedMembers.every((name) => current[name] === (auth as JsonObject)[name]))
      throw refuse('conflict', 'a credential for this already exists in the vault', { code: 'credential_exists' })
  }
  return make(context, {
    collection: credentials,
    prefix: 'vcred_',
    parent: vault.id,
    body: {
      type: 'vault_credential',
      vault_id: vault.id,
      display_name: api === 'forward' ? '' : null,
      auth: withoutSecrets(auth),
      metadata: checkedMetadata(body.metadata, { isReserved: api === 'forward' }),
      archived_at: null,
    },
    hidden: secretsOf(auth),
  })
}

function networkOf({ networking }: { readonly networking?: JsonObject }): JsonObject {
  return networking ?? { type: 'unrestricted' }
}

function mergedAuth(current: StoredObject, patch: JsonObject): JsonObject {
  const auth = current.body['auth'] as JsonObject // Created by `makeCredential`.
  for (const name of fixedMembers) {
    if (patch[name] === undefined || patch[name] === auth[name]) continue
    throw refuse('invalid', `auth.${name}: cannot be changed`, { param: `auth.${name}` })
  }
  return withoutSecrets({ ...auth, ...patch })
}

function withoutSecrets(auth: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(auth).filter(([name]) => !secretMembers.some((secret) => secret === name)))
}

/**
 * Returns the secrets to store, so that a test can verify in the store, not through the API, that the right one
 * arrived.
 */
function secretsOf(auth: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(auth).filter(([name]) => secretMembers.some((secret) => secret === name)))
}

function findCredential(context: Context, params: Readonly<Record<string, string>>): StoredObject {
  const found = find(context, credentials, params['credential'])
  if (found.parent !== params['id']) throw refuse('notFound', `no credential ${params['credential']} in this vault`)
  return found
}
