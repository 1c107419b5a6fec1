// Emulated credentials: one per MCP server and one per variable in a vault; secrets are never returned.
import { type Static, Type } from 'typebox'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type Route, refuse } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { archiveObject, isArchived, list, live, removeObject, requireObject, timeText, withChanges } from './objects.js'
import { archivedToo, call, exact, listed, nullable, optional, query, text } from './schema.js'

const url = Type.String({ minLength: 1, maxLength: 2_047 })
const token = Type.String({ minLength: 1, maxLength: 8_192 })
const Networking = Type.Union([
  exact({ type: Type.Literal('unrestricted') }),
  exact({
    type: Type.Literal('limited'),
    allowed_hosts: Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 16 }),
  }),
])
const Location = exact({ header: optional(Type.Boolean()), body: optional(Type.Boolean()) })
const display_name = optional(nullable(Type.String({ maxLength: 255 })))
const oauthSecrets = {
  access_token: optional(token),
  expires_at: optional(nullable(text())),
  refresh: optional(Type.Record(Type.String(), Type.Unknown())),
}

const CreateAuth = Type.Union([
  exact({ type: Type.Literal('static_bearer'), mcp_server_url: url, token }),
  exact({
    type: Type.Literal('environment_variable'),
    secret_name: Type.String({ minLength: 1 }),
    secret_value: token,
    networking: Networking,
    injection_location: optional(Location),
  }),
  exact({ type: Type.Literal('mcp_oauth'), mcp_server_url: url, ...oauthSecrets }),
])
const UpdateAuth = Type.Union([
  exact({ type: Type.Literal('static_bearer'), token: optional(token) }),
  exact({
    type: Type.Literal('environment_variable'),
    secret_value: optional(token),
    networking: optional(Networking),
    injection_location: optional(Location),
  }),
  exact({ type: Type.Literal('mcp_oauth'), ...oauthSecrets }),
])
const Create = exact({ display_name, auth: CreateAuth })
const Update = exact({ display_name, auth: optional(UpdateAuth) })

const secretMembers: ReadonlySet<string> = new Set(['token', 'secret_value', 'access_token', 'refresh'])

/** Splits an `auth` into the visible and the hidden part. */
function split(auth: Static<typeof CreateAuth> | Static<typeof UpdateAuth>): { shown: JsonObject; hidden: JsonObject } {
  const entries = Object.entries(auth as JsonObject)
  return {
    shown: Object.fromEntries(entries.filter(([member]) => !secretMembers.has(member))),
    hidden: Object.fromEntries(entries.filter(([member]) => secretMembers.has(member))),
  }
}

function injectionLocation(auth: JsonObject, current: JsonObject): JsonObject {
  if (auth['type'] !== 'environment_variable') return {}
  const given = isObject(auth['injection_location']) ? auth['injection_location'] : {}
  const location: JsonObject = { header: true, body: false, ...current, ...given }
  if (location['header'] !== true && location['body'] !== true)
    throw refuse('invalid', 'auth.injection_location: one of header and body must stay true')
  return { injection_location: location }
}

const purposeOf = ({ body }: StoredObject): string => {
  const auth = isObject(body['auth']) ? body['auth'] : {}
  return String(auth['mcp_server_url'] ?? auth['secret_name'])
}

export const credentialRoutes: readonly Route[] = [
  call({
    method: 'POST',
    path: '/vaults/:id/credentials',
    body: Create,
    handle(request) {
      const { store, params, body, nowMs } = request
      const vault = live(store, 'vault', params['id'])
      const { shown, hidden } = split(body.auth)
      const purpose = String(shown['mcp_server_url'] ?? shown['secret_name'])
      for (const other of store.childrenOf('credential', vault.id))
        if (!isArchived(other) && purposeOf(other) === purpose)
          throw refuse('conflict', `the vault has a credential for ${purpose} already`)
      const id = store.newId('vcrd_01')
      const now = timeText(nowMs)
      const credential = store.insert({
        id,
        collection: 'credential',
        parent: vault.id,
        createdAtMs: nowMs,
        hidden,
        body: {
          id,
          type: 'vault_credential',
          vault_id: vault.id,
          display_name: body.display_name ?? null,
          auth: { ...shown, ...injectionLocation(shown, {}) },
          created_at: now,
          updated_at: now,
          archived_at: null,
        },
      })
      return { body: credential.body }
    },
  }),
  call({
    method: 'GET',
    path: '/vaults/:id/credentials',
    query: query({ ...listed, ...archivedToo }),
    handle: ({ store, params, query }) =>
      list(store.childrenOf('credential', requireObject(store, 'vault', params['id']).id), query),
  }),
  call({
    method: 'GET',
    path: '/vaults/:id/credentials/:cid',
    handle: ({ store, params }) => ({ body: requireObject(store, 'credential', params['cid'], params['id']).body }),
  }),
  call({
    method: 'POST',
    path: '/vaults/:id/credentials/:cid',
    body: Update,
    handle(request) {
      const { store, params, body } = request
      live(store, 'vault', params['id'])
      requireObject(store, 'credential', params['cid'], params['id'])
      const credential = live(store, 'credential', params['cid'])
      const current = isObject(credential.body['auth']) ? credential.body['auth'] : {}
      if (body.auth && body.auth.type !== current['type'])
        throw refuse('invalid', 'auth.type: must match the credential', { param: 'auth.type' })
      const { shown, hidden } = body.auth ? split(body.auth) : { shown: {}, hidden: {} }
      const location = isObject(current['injection_location']) ? current['injection_location'] : {}
      const next = withChanges(credential, request, {
        ...(body.display_name === undefined ? {} : { display_name: body.display_name }),
        auth: { ...current, ...shown, ...injectionLocation({ ...current, ...shown }, location) },
      })
      return { body: store.put({ ...next, hidden: { ...credential.hidden, ...hidden } }).body }
    },
  }),
  call({
    method: 'DELETE',
    path: '/vaults/:id/credentials/:cid',
    handle: ({ store, params }) =>
      removeObject(requireObject(store, 'credential', params['cid'], params['id']), store, 'vault_credential_deleted'),
  }),
  call({
    method: 'POST',
    path: '/vaults/:id/credentials/:cid/archive',
    handle: (request) =>
      archiveObject(requireObject(request.store, 'credential', request.params['cid'], request.params['id']), request),
  }),
]

export const credentialCollection: Collection = {
  kind: 'credential',
  isTopLevel: false,
  isPermanent: false,
  name: ({ body }) => String(body['display_name']),
  touched: (object, context) => withChanges(object, context, {}),
}
