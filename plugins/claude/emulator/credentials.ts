// Emulated credentials: one per MCP server and one per variable in a vault; secrets are never returned.
import { Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type Route, refuse } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import {
  archiveObject,
  isArchived,
  list,
  live,
  patchedMetadata,
  removeObject,
  requireObject,
  timeText,
  withChanges,
} from './objects.js'
import { archivedToo, call, exact, listed, Metadata, MetadataPatch, nullable, optional, query, text } from './schema.js'

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
const clientAuth = ['client_secret_basic', 'client_secret_post'] as const
const scope = optional(nullable(text()))
const Refresh = exact({
  client_id: text(),
  refresh_token: token,
  token_endpoint: url,
  token_endpoint_auth: Type.Union([
    exact({ type: Type.Literal('none') }),
    exact({ type: Type.Enum([...clientAuth]), client_secret: token }),
  ]),
  resource: optional(nullable(text())),
  scope,
})
const RefreshUpdate = exact({
  refresh_token: optional(nullable(token)),
  scope,
  token_endpoint_auth: optional(exact({ type: Type.Enum([...clientAuth]), client_secret: optional(nullable(token)) })),
})
const expires_at = optional(nullable(Type.String({ minLength: 1 })))

const CreateAuth = Type.Union([
  exact({ type: Type.Literal('static_bearer'), mcp_server_url: url, token }),
  exact({
    type: Type.Literal('environment_variable'),
    secret_name: Type.String({ minLength: 1 }),
    secret_value: token,
    networking: Networking,
    injection_location: optional(Location),
  }),
  exact({
    type: Type.Literal('mcp_oauth'),
    mcp_server_url: url,
    access_token: token,
    expires_at,
    refresh: optional(nullable(Refresh)),
  }),
])
const UpdateAuth = Type.Union([
  exact({ type: Type.Literal('static_bearer'), token: optional(nullable(token)) }),
  exact({
    type: Type.Literal('environment_variable'),
    secret_value: optional(nullable(token)),
    networking: optional(nullable(Networking)),
    injection_location: optional(Location),
  }),
  exact({
    type: Type.Literal('mcp_oauth'),
    access_token: optional(nullable(token)),
    expires_at,
    refresh: optional(nullable(RefreshUpdate)),
  }),
])
const Create = exact({ display_name, auth: CreateAuth, metadata: optional(Metadata) })
const Update = exact({ display_name, auth: optional(UpdateAuth), metadata: optional(MetadataPatch) })

const secretMembers: ReadonlySet<string> = new Set([
  'token',
  'secret_value',
  'access_token',
  'refresh_token',
  'client_secret',
])

/** Splits an `auth` into the visible and the hidden part, at every level. */
function split(auth: JsonObject): { shown: JsonObject; hidden: JsonObject } {
  const shown: Record<string, Json> = {}
  const hidden: Record<string, Json> = {}
  for (const [member, value] of Object.entries(auth)) {
    if (value === undefined) continue
    if (secretMembers.has(member)) hidden[member] = value
    else if (isObject(value)) {
      const inner = split(value)
      shown[member] = inner.shown
      if (Object.keys(inner.hidden).length > 0) hidden[member] = inner.hidden
    } else shown[member] = value
  }
  return { shown, hidden }
}

/** Returns the refresh with the changes of an update, which cannot add one. */
function refreshed(current: JsonObject, given: JsonObject): JsonObject {
  const { refresh } = given
  if (refresh === undefined) return {}
  if (refresh === null) return { refresh: current['refresh'] ?? null }
  const stored = current['refresh']
  if (!isObject(stored)) throw refuse('invalid', 'auth.refresh: the credential has none, and it cannot be added')
  const auth = isObject(refresh) ? refresh['token_endpoint_auth'] : undefined
  const before = stored['token_endpoint_auth']
  if (isObject(auth) && isObject(before) && auth['type'] !== before['type'])
    throw refuse('invalid', 'auth.refresh.token_endpoint_auth.type: must match the credential')
  return { refresh: { ...stored, ...(isObject(refresh) ? refresh : {}) } }
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
      const { shown, hidden } = split(body.auth as JsonObject)
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
          metadata: patchedMetadata({}, body.metadata),
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
      const { shown, hidden } = split((body.auth ?? {}) as JsonObject)
      const location = isObject(current['injection_location']) ? current['injection_location'] : {}
      const next = withChanges(credential, request, {
        ...(body.display_name === undefined ? {} : { display_name: body.display_name }),
        metadata: patchedMetadata(credential.body['metadata'], body.metadata),
        auth: {
          ...current,
          ...shown,
          ...refreshed(current, shown),
          ...injectionLocation({ ...current, ...shown }, location),
        },
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
  call({
    method: 'POST',
    path: '/vaults/:id/credentials/:cid/mcp_oauth_validate',
    handle({ store, params, nowMs }) {
      const { id, body, hidden } = requireObject(store, 'credential', params['cid'], params['id'])
      const auth = isObject(body['auth']) ? body['auth'] : {}
      if (auth['type'] !== 'mcp_oauth') throw refuse('invalid', 'the credential is not of type mcp_oauth')
      const validation = { type: 'vault_credential_validation', credential_id: id, vault_id: params['id'] ?? '' }
      const has_refresh_token = isObject(hidden['refresh'])
      const validated_at = timeText(nowMs)
      return {
        body: { ...validation, has_refresh_token, validated_at, status: 'unknown', mcp_probe: null, refresh: null },
      }
    },
  }),
]

export const credentialCollection: Collection = {
  kind: 'credential',
  isTopLevel: false,
  isPermanent: false,
  name: ({ body }) => String(body['display_name']),
  touched: (object, context) => withChanges(object, context, {}),
}
