// Credentials of a vault, identified by their purpose: one per MCP server, one per environment variable.
import type { FieldTable, Parts, PartUpdate } from '../../core/plugin/handler.js'
import { keepUndeclared } from '../../core/plugin/undeclared.js'
import { isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { Credential, VaultBody } from '../kinds/vault-body.js'
import { item } from '../shared/collection.js'
import { credentialName } from '../shared/declared-vault.js'
import { objectOf } from '../shared/wire.js'
import { isArchived } from './answers.js'
import { type ClaudeClient, paging } from './client.js'
import { desiredOAuth, oauthFields, oauthUpdate, observedOAuth } from './oauth-credential.js'

const fields: FieldTable = {
  display_name: { label: 'name' },
  'auth/type': { label: 'type', immutable: true },
  'auth/mcp_server_url': { label: 'mcp_server_url', immutable: true },
  'auth/secret_name': { label: 'secret_name', immutable: true },
  'auth/token': { label: 'access_token', secret: true, writeOnly: true },
  'auth/secret_value': { label: 'secret_value', secret: true, writeOnly: true },
  'auth/networking/allowed_hosts': { unordered: true },
  ...oauthFields,
}

const credentialsPath = (vaultId: string) => `${item('/vaults', vaultId)}/credentials`

export const credentials: Parts<ClaudeClient, VaultBody> = {
  name: 'credentials',
  policy: () => 'own',
  fields,

  desired: ({ body }) =>
    Object.fromEntries((body.credentials ?? []).map(desiredCredential).map((tree) => [keyOf(tree['auth']), tree])),
  list: ({ client, signal }, vaultId) => client.list(credentialsPath(vaultId), { signal }, paging),
  key: (remote) => keyOf(remote['auth']),
  id: (remote) => String(remote['id']),
  observed: ({ display_name, auth }) => ({
    display_name: credentialName(display_name, keyOf(auth)),
    auth: observedAuth(objectOf(auth)),
  }),
  isGone: isArchived,

  create: ({ client, signal }, vaultId, { desired }) => client.create(credentialsPath(vaultId), desired, { signal }),
  update: ({ client, signal }, vaultId, part) =>
    client.update(item(credentialsPath(vaultId), part.id), updateBody(part), { signal }),
  remove: async ({ client, signal }, vaultId, id) =>
    void (await client.delete(item(credentialsPath(vaultId), id), { signal })),
}

/** Returns the key, which is unique within the vault and never changes. */
function keyOf(auth: Json | undefined): string {
  const { mcp_server_url, secret_name } = objectOf(auth)
  return String(mcp_server_url ?? secret_name ?? '')
}

function desiredCredential(credential: Credential): Tree {
  const { name, type } = credential
  if (type === 'static_bearer') {
    const { mcp_server_url, access_token } = credential
    return { display_name: name, auth: { type, mcp_server_url, token: access_token } }
  }
  if (type === 'mcp_oauth') return { display_name: name, auth: desiredOAuth(credential) }
  const { secret_name, secret_value, networking, injection_location } = credential
  return {
    display_name: name,
    auth: {
      type,
      secret_name,
      secret_value,
      networking: desiredNetworking(networking),
      // The networking is sent completely, so that no default of the server widens where a secret may be sent.
      injection_location: { header: injection_location?.header ?? true, body: injection_location?.body ?? false },
    },
  }
}

type Networking = Extract<Credential, { type: 'environment_variable' }>['networking']

/** Returns the networking. A rule refuses `limited` without hosts, so a limited one never becomes unrestricted. */
function desiredNetworking(networking: Networking): Tree {
  const hosts = networking?.allowed_hosts
  if (networking?.type === 'unrestricted' || hosts === undefined || hosts.includes('*')) return { type: 'unrestricted' }
  return { type: 'limited', allowed_hosts: hosts }
}

function observedAuth(auth: JsonObject): Tree {
  const { type, mcp_server_url, secret_name, networking, injection_location } = auth
  if (type === 'mcp_oauth') return observedOAuth(auth)
  if (type !== 'environment_variable') return { type, mcp_server_url }
  const { header, body } = objectOf(injection_location)
  return {
    type,
    secret_name,
    networking: isObject(networking) ? networking : { type: 'unrestricted' },
    injection_location: { header, body },
  }
}

function updateBody(part: PartUpdate): JsonObject {
  if (objectOf(part.desired['auth'])['type'] === 'mcp_oauth') return oauthUpdate(part)
  return changeable(keepUndeclared({ fields }, part).body)
}

/** Returns the body without immutable members: an update that names them is refused, even with the same value. */
function changeable({ display_name, auth }: Tree): JsonObject {
  const { mcp_server_url: _, secret_name: __, ...rest } = objectOf(auth)
  return { display_name, auth: rest }
}
