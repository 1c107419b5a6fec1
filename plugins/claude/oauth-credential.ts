// OAuth credentials of MCP servers. The service refreshes their tokens by itself, so an update sends a token only if the
// declaration has a new one, and never the one that it was made with.
import type { FieldTable, PartUpdate } from '../../core/plugin/handler.js'
import { isEmpty, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { Credential } from '../kinds/vault-body.js'
import { objectOf } from '../shared/wire.js'

export const oauthFields: FieldTable = {
  'auth/access_token': { label: 'access_token', secret: true, writeOnly: true },
  // The service sets it anew with each refresh.
  'auth/expires_at': { label: 'expires_at', writeOnly: true },
  'auth/refresh/refresh_token': { label: 'refresh.refresh_token', secret: true, writeOnly: true },
  'auth/refresh/token_endpoint_auth/client_secret': {
    label: 'refresh.token_endpoint_auth.client_secret',
    secret: true,
    writeOnly: true,
  },
  'auth/refresh/token_endpoint_auth/type': { label: 'refresh.token_endpoint_auth.type', immutable: true },
  'auth/refresh/client_id': { label: 'refresh.client_id', immutable: true },
  'auth/refresh/token_endpoint': { label: 'refresh.token_endpoint', immutable: true },
  'auth/refresh/resource': { label: 'refresh.resource', immutable: true },
  'auth/refresh/scope': { label: 'refresh.scope' },
}

type OAuth = Extract<Credential, { type: 'mcp_oauth' }>

export function desiredOAuth({ type, mcp_server_url, access_token, expires_at, refresh }: OAuth): Tree {
  return {
    type,
    mcp_server_url,
    access_token,
    expires_at,
    refresh: refresh && { ...refresh, token_endpoint_auth: refresh.token_endpoint_auth ?? { type: 'none' } },
  }
}

export function observedOAuth({ type, mcp_server_url, refresh }: JsonObject): Tree {
  const { client_id, token_endpoint, token_endpoint_auth, resource, scope } = objectOf(refresh)
  return {
    type,
    mcp_server_url,
    refresh: {
      client_id,
      token_endpoint,
      token_endpoint_auth: { type: objectOf(token_endpoint_auth)['type'] },
      resource,
      scope,
    },
  }
}

/** Returns the body of an update, with the members that changed. */
export function oauthUpdate({ desired, changes }: PartUpdate): JsonObject {
  const { display_name, auth } = desired
  const { type, access_token, expires_at, refresh } = objectOf(auth)
  const changed = new Set(changes.map(({ path }) => path))
  const { refresh_token, scope, token_endpoint_auth } = objectOf(refresh)
  const renewed = {
    ...(changed.has('auth/refresh/refresh_token') ? { refresh_token } : {}),
    ...(changed.has('auth/refresh/scope') ? { scope: scope ?? '' } : {}),
    ...(changed.has('auth/refresh/token_endpoint_auth/client_secret') ? { token_endpoint_auth } : {}),
  }
  return {
    display_name,
    auth: {
      type,
      ...(changed.has('auth/access_token') ? { access_token } : {}),
      ...(changed.has('auth/expires_at') ? { expires_at: expires_at ?? null } : {}),
      ...(isEmpty(renewed) ? {} : { refresh: renewed }),
    },
  }
}
