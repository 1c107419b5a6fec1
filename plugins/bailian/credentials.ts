// Credentials of a vault. All data about the secret, including where it may be sent, is in `auth`.
import { patchBody } from '../../core/plugin/body.js'
import type { Parts } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import { hasPlaceholder } from '../../core/value/placeholder.js'
import { isObject, type Json, type Tree } from '../../core/value/tree.js'
import type { Credential, VaultBody } from '../kinds/vault-body.js'
import { credentialName } from '../shared/declared-vault.js'
import { objectOf } from '../shared/wire.js'
import { isArchived } from './answers.js'
import type { BailianClient } from './client.js'

const fields = {
  display_name: { label: 'name' },
  'auth/type': { label: 'type' },
  'auth/secret_name': { label: 'secret_name' },
  'auth/secret_value': { label: 'secret_value', secret: true, writeOnly: true },
  'auth/mcp_server_url': { label: 'mcp_server_url' },
  'auth/token': { label: 'access_token', secret: true, writeOnly: true },
  'auth/networking/allowed_hosts': { label: 'networking.allowed_hosts', unordered: true },
  'auth/injection_location/header': { label: 'injection_location.header' },
  'auth/injection_location/body': { label: 'injection_location.body' },
} as const

const everyHost = ['*']

/** Policy of a credential that declares none (agent configuration 2.7). */
const defaultInjection = { header: true, body: false } as const

/**
 * Returns the key of a credential. The server allows one active credential per secret name in a vault, and the name
 * never changes.
 */
function keyOf(auth: Json | undefined): string {
  const { secret_name, mcp_server_url } = objectOf(auth)
  return String(secret_name ?? mcp_server_url ?? '')
}

export const credentials: Parts<BailianClient, VaultBody> = {
  name: 'credentials',
  policy: () => 'own',
  fields,

  desired: ({ body }) =>
    Object.fromEntries((body.credentials ?? []).map(desiredCredential).map((tree) => [keyOf(tree['auth']), tree])),
  list: ({ client, signal }, vaultId) => client.list(pathTo`/vaults/${vaultId}/credentials`, { signal }),
  key: (remote) => keyOf(remote['auth']),
  id: (remote) => String(remote['id']),
  observed: observedCredential,
  isGone: isArchived,

  create: ({ client, signal }, vaultId, { desired }) =>
    client.create(pathTo`/vaults/${vaultId}/credentials`, desired, { signal }),
  update: ({ client, signal }, vaultId, part) =>
    client.update(pathTo`/vaults/${vaultId}/credentials/${part.id}`, updateBody(part), { signal }),
  remove: async ({ client, signal }, vaultId, id) =>
    void (await client.delete(pathTo`/vaults/${vaultId}/credentials/${id}`, { signal })),
  surviveParent: true,
}

function desiredCredential(credential: Credential): Tree {
  if (credential.type !== 'environment_variable')
    return {
      display_name: credential.name,
      auth: { type: credential.type, mcp_server_url: credential.mcp_server_url, token: credential.access_token },
    }
  const { networking, injection_location } = credential
  return {
    display_name: credential.name,
    auth: {
      type: credential.type,
      secret_name: credential.secret_name,
      secret_value: credential.secret_value,
      // A rule refuses `limited` without hosts, so only the unrestricted forms get the default.
      networking: { allowed_hosts: (networking?.allowed_hosts ?? everyHost).map(lowerCase) },
      injection_location: { ...defaultInjection, ...injection_location },
    },
  }
}

function observedCredential(remote: Tree): Tree {
  const { type, secret_name, mcp_server_url, networking, injection_location } = objectOf(remote['auth'])
  const { type: policy, allowed_hosts } = objectOf(networking)
  // Older credentials have a type in place of hosts (agent configuration 2.7).
  const hosts = allowed_hosts ?? (policy === 'unrestricted' ? everyHost : undefined)
  const injection = objectOf(injection_location)
  return {
    display_name: credentialName(remote['display_name'], keyOf(remote['auth'])),
    auth: {
      type,
      secret_name,
      mcp_server_url,
      networking: { allowed_hosts: Array.isArray(hosts) ? hosts.map(lowerCase) : undefined },
      injection_location: {
        header: injection['header'] ?? defaultInjection.header,
        body: injection['body'] ?? defaultInjection.body,
      },
    },
  }
}

/**
 * Returns the credential in a form that can be declared: without a networking policy if the secret may be sent to every
 * host.
 */
export function declarableCredential(remote: Tree): Tree {
  const { auth, ...rest } = observedCredential(remote)
  const { networking, ...others } = objectOf(auth)
  const { allowed_hosts } = objectOf(networking)
  const isEverywhere = Array.isArray(allowed_hosts) && allowed_hosts.includes(everyHost[0])
  return { ...rest, auth: { ...others, networking: isEverywhere ? {} : { type: 'limited', allowed_hosts } } }
}

/**
 * Returns the complete `auth` without the members that identify the credential, which the server refuses in updates.
 */
function updateBody(part: Parameters<NonNullable<typeof credentials.update>>[2]): Tree {
  const body = patchBody(fields, part)
  if (!isObject(body['auth'])) return body
  const { secret_name: _, mcp_server_url: __, ...auth } = body['auth']
  return { ...body, auth }
}

function lowerCase<Host extends Json>(host: Host): Host | string {
  return typeof host === 'string' && !hasPlaceholder(host) ? host.toLowerCase() : host
}
