// Credentials of a vault, identified by their purpose: one per MCP server or secret name.
import type { Parts } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import { keepUndeclared } from '../../core/plugin/undeclared.js'
import { isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { Credential, VaultBody } from '../kinds/vault-body.js'
import { credentialName } from '../shared/declared-vault.js'
import { type ArkClient, credentialPaging } from './client.js'

const fields = {
  'auth/type': { immutable: true },
  'auth/mcp_server_url': { immutable: true },
  'auth/secret_name': { immutable: true },
  display_name: { label: 'name' },
  'auth/token': { label: 'access_token', secret: true, writeOnly: true },
  'auth/secret_value': { label: 'secret_value', secret: true, writeOnly: true },
  'auth/networking/allowed_hosts': { unordered: true },
} as const

const unrestricted = { type: 'unrestricted' } as const

export const credentials: Parts<ArkClient, VaultBody> = {
  name: 'credentials',
  policy: () => 'own',
  fields,

  desired: ({ body }) =>
    Object.fromEntries((body.credentials ?? []).map(desiredCredential).map((tree) => [keyOf(tree['auth']), tree])),
  list: ({ client, signal }, vaultId) =>
    client.list(pathTo`/vaults/${vaultId}/credentials`, { signal }, credentialPaging),
  key: (remote) => keyOf(remote['auth']),
  id: (remote) => String(remote['id']),
  observed: ({ display_name, auth }) => ({
    display_name: credentialName(display_name, keyOf(auth)),
    auth: observedAuth(auth),
  }),

  create: ({ client, signal }, vaultId, { desired }) =>
    client.create(pathTo`/vaults/${vaultId}/credentials`, desired, { signal }),
  update: ({ client, signal }, vaultId, part) =>
    client.update(
      pathTo`/vaults/${vaultId}/credentials/${part.id}`,
      changeable(keepUndeclared({ fields }, part).body),
      { signal },
    ),
  remove: async ({ client, signal }, vaultId, id) =>
    void (await client.delete(pathTo`/vaults/${vaultId}/credentials/${id}`, { signal })),
}

/** Returns the key, which is unique within the vault and never changes. */
function keyOf(auth: Json | undefined): string {
  return isObject(auth) ? String(auth['mcp_server_url'] ?? auth['secret_name'] ?? '') : ''
}

function desiredCredential(credential: Credential): Tree {
  const { name, type } = credential
  if (type !== 'environment_variable')
    return {
      display_name: name,
      auth: { type, mcp_server_url: credential.mcp_server_url, token: credential.access_token },
    }
  const { secret_name, secret_value, networking } = credential
  return { display_name: name, auth: { type, secret_name, secret_value, networking: desiredNetworking(networking) } }
}

type Networking = Extract<Credential, { type: 'environment_variable' }>['networking']

/** Returns the networking. A rule refuses `limited` without hosts; named hosts always limit, whatever the type. */
function desiredNetworking(networking: Networking): Tree {
  const hosts = networking?.allowed_hosts
  if (hosts === undefined || hosts.includes('*')) return unrestricted
  return { type: 'limited', allowed_hosts: hosts }
}

function observedAuth(auth: Json | undefined): Tree {
  if (!isObject(auth)) return {}
  const { type, mcp_server_url, secret_name, networking } = auth
  if (type !== 'environment_variable') return { type, mcp_server_url }
  return { type, secret_name, networking: observedNetworking(networking) }
}

/** Reads both documented shapes: hosts beside the type, and hosts below `limited`. */
function observedNetworking(networking: Json | undefined): Tree {
  if (!isObject(networking) || networking['type'] !== 'limited') return unrestricted
  const { limited } = networking
  return {
    type: 'limited',
    allowed_hosts: networking['allowed_hosts'] ?? (isObject(limited) ? limited['allowed_hosts'] : []),
  }
}

/**
 * Returns the body of an update. It lacks the member that identifies the credential, which the server refuses in
 * updates.
 */
function changeable({ display_name, auth }: Tree): JsonObject {
  if (!isObject(auth)) return { display_name }
  const { mcp_server_url: _, secret_name: __, ...rest } = auth
  return { display_name, auth: rest }
}
