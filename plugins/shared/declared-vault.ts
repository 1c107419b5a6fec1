// Derives the declaration of a vault and its credentials. APIs never return secrets, so each one is declared as a
// variable.
import type { RemoteIndex } from '../../core/plugin/remote-index.js'
import { isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import { declared, declaredMetadata, ownName } from './declared.js'

/** Returns the declaration for the compared trees of a vault and of its credentials. */
export function declaredVault(
  { display_name, metadata }: Tree,
  credentials: readonly Tree[],
  index: RemoteIndex,
): JsonObject {
  // The order of the API's list is not stable.
  const ordered = [...credentials].sort((one, other) =>
    String(one['display_name']) < String(other['display_name']) ? -1 : 1,
  )
  const written = ordered.map((credential) => declaredCredential(credential, index)).filter((one) => one !== undefined)
  return {
    ...declared({ display_name: ownName(display_name, index) }),
    ...(written.length > 0 ? { credentials: written } : {}),
    ...declared({ metadata: declaredMetadata(metadata) }),
  }
}

/** Derives the name of a credential that has none from the member that identifies it. */
export function credentialName(name: Json | undefined, key: string): string {
  return typeof name === 'string' && name !== '' ? name : key
}

/** Returns a credential; undefined for types that cannot be declared, which stay unmanaged. */
function declaredCredential({ display_name, auth }: Tree, index: RemoteIndex): JsonObject | undefined {
  const name = String(display_name)
  const { type, mcp_server_url, secret_name, networking, injection_location } = isObject(auth) ? auth : {}
  if (type === 'static_bearer') {
    const access_token = index.secret(['credentials', name, 'access_token'], index.self, name, 'token')
    return { ...declared({ name, type, mcp_server_url }), access_token }
  }
  if (type === 'mcp_oauth') return declaredOAuth(name, isObject(auth) ? auth : {}, index)
  if (type !== 'environment_variable') return undefined
  const secret_value = index.secret(['credentials', name, 'secret_value'], index.self, String(secret_name))
  return {
    ...declared({ name, type, secret_name }),
    secret_value,
    ...declared({
      networking: declaredHosts(networking),
      injection_location: declaredInjection(injection_location),
    }),
  }
}

function declaredOAuth(name: string, { type, mcp_server_url, refresh }: JsonObject, index: RemoteIndex): JsonObject {
  const secret = (path: readonly string[], what: string) =>
    index.secret(['credentials', name, ...path], index.self, name, what)
  const { client_id, token_endpoint, token_endpoint_auth, resource, scope } = isObject(refresh) ? refresh : {}
  const { type: identification } = isObject(token_endpoint_auth) ? token_endpoint_auth : {}
  const hasSecret = identification !== undefined && identification !== 'none'
  return {
    ...declared({ name, type, mcp_server_url }),
    access_token: secret(['access_token'], 'token'),
    ...(client_id === undefined
      ? {}
      : {
          refresh: {
            ...declared({ token_endpoint, client_id }),
            refresh_token: secret(['refresh', 'refresh_token'], 'refresh_token'),
            ...(hasSecret
              ? {
                  token_endpoint_auth: {
                    type: identification,
                    client_secret: secret(['refresh', 'token_endpoint_auth', 'client_secret'], 'client_secret'),
                  },
                }
              : {}),
            ...declared({ resource, scope }),
          },
        }),
  }
}

function declaredHosts(networking: Json | undefined): JsonObject {
  const { type, allowed_hosts } = isObject(networking) ? networking : {}
  return type === 'limited' ? { allowed_hosts } : {}
}

/** Returns where the secret is injected, if it differs from the default: headers, not bodies. */
function declaredInjection(location: Json | undefined): JsonObject {
  const { header, body } = isObject(location) ? location : {}
  const isDefault = header !== false && body !== true
  return isDefault ? {} : { header: header !== false, body: body === true }
}
