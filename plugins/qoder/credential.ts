// Credentials of a vault in both APIs: identity, wire form, and what can be compared.
import type { FieldTable, Remote } from '../../core/plugin/handler.js'
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import type { Credential, VaultBody } from '../kinds/vault-body.js'
import { objectOf, textOf, textsOf } from '../shared/wire.js'

export const credentialFields: FieldTable = {
  display_name: { writeOnly: true },
  'auth/token': { label: 'access_token', secret: true, writeOnly: true },
  'auth/secret_value': { label: 'secret_value', secret: true, writeOnly: true },
  'auth/networking/allowed_hosts': { unordered: true },
}

/** Member that identifies a credential, by type. It never changes, whereas the server does not always return names. */
const subjects: Readonly<Record<string, string>> = {
  static_bearer: 'mcp_server_url',
  environment_variable: 'secret_name',
  mcp_oauth: 'mcp_server_url',
}

export function desiredCredentials({ credentials }: VaultBody): Readonly<Record<string, Tree>> {
  return Object.fromEntries((credentials ?? []).map((credential) => [keyOf(credential), desiredCredential(credential)]))
}

/** Returns the key, unique within a vault: `static_bearer https://mcp.example.com`. */
export function keyOf(credential: Credential): string {
  return authKey(authOf(credential))
}

export function credentialKey(remote: Remote): string {
  return authKey(objectOf(remote['auth']))
}

/** Returns type and subject of a credential as declared. */
export function credentialIdentity(remote: Remote): { readonly subject: string; readonly says: JsonObject } {
  const { type, ...auth } = objectOf(remote['auth'])
  const member = subjects[textOf(type)] ?? ''
  const subject = textOf(auth[member])
  return { subject, says: { type, [member]: subject } }
}

export function observedCredential(remote: Remote): Tree {
  const auth = objectOf(remote['auth'])
  const subject = subjects[textOf(auth['type'])] ?? ''
  return {
    auth: {
      type: auth['type'],
      [subject]: auth[subject],
      ...(auth['type'] === 'environment_variable' ? { networking: networkOf(auth['networking']) } : {}),
    },
  }
}

/** Returns the members that an update may send: the subject of a credential cannot change. */
export function mutableAuth(auth: JsonObject): JsonObject {
  const { [subjects[textOf(auth['type'])] ?? '']: _subject, ...mutable } = auth
  return mutable
}

function desiredCredential(credential: Credential): Tree {
  return { display_name: credential.name, auth: authOf(credential) }
}

function authOf(credential: Credential): JsonObject {
  if (credential.type !== 'environment_variable') {
    const { type, mcp_server_url, access_token } = credential
    return { type, mcp_server_url, token: access_token }
  }
  const { type, secret_name, secret_value, networking } = credential
  return { type, secret_name, secret_value, networking: networkOf(networking) }
}

/** Returns the networking. Named hosts limit it even without a type; the host `*` does not limit it. */
function networkOf(given: Json | undefined): JsonObject {
  const { type, allowed_hosts } = objectOf(given)
  const hosts = textsOf(allowed_hosts)
  const isLimited = type === 'limited' || (type === undefined && hosts.length > 0)
  return isLimited && !hosts.includes('*') ? { type: 'limited', allowed_hosts: hosts } : { type: 'unrestricted' }
}

function authKey(auth: JsonObject): string {
  const type = textOf(auth['type'])
  return `${type} ${textOf(auth[subjects[type] ?? ''])}`
}
