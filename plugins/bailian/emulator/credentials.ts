// Emulated credentials: there is one type, and one credential per secret name; secrets are never returned, and
// credentials of deleted vaults remain readable.
import { type Static, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route } from '../../emulator/contract.js'
import { issuesOf } from '../../emulator/issues.js'
import type { StoredObject } from '../../emulator/store.js'
import {
  archive,
  checkedMetadata,
  found,
  isArchived,
  listed,
  make,
  merged,
  refuseArchived,
  remove,
  touched,
} from './objects.js'
import { Exact, ListQuery, Maybe, Metadata } from './schema.js'

const path = '/vaults/:vault/credentials'
const acceptedType = 'environment_variable'
const hostsMax = 10

const Injection = Maybe(Exact({ header: Maybe(Type.Boolean()), body: Maybe(Type.Boolean()) }))
const Networking = Maybe(
  Exact({ allowed_hosts: Maybe(Type.Array(Type.String({ minLength: 1 }), { maxItems: hostsMax })) }),
)
const NewAuth = Exact({
  type: Type.Literal(acceptedType),
  secret_name: Type.String({ minLength: 1 }),
  secret_value: Type.String({ minLength: 1 }),
  networking: Networking,
  injection_location: Injection,
})
const ChangedAuth = Exact({
  type: Maybe(Type.Literal(acceptedType)),
  secret_name: Maybe(Type.String()),
  secret_value: Maybe(Type.String()),
  networking: Networking,
  injection_location: Injection,
})

/** Schema of the first of two checks, because a wrong type has an error of its own. */
const AnyAuth = Type.Record(Type.String(), Type.Unknown())
const DisplayName = Type.String({ minLength: 1, maxLength: 255 })
const Create = Exact({ display_name: DisplayName, auth: AnyAuth, metadata: Maybe(Metadata) })
const Update = Exact({ display_name: Maybe(DisplayName), auth: Maybe(AnyAuth), metadata: Maybe(Metadata) })

export const credentials: Collection = {
  kind: 'credential',
  isTopLevel: false,
  isPermanent: false,
  name: ({ body }) => String(body['display_name']),
  touched,
}

export const credentialRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path,
    body: Create,
    handle: (request) => ({ body: create(request, request.params['vault'] ?? '', request.body).body }),
  }),
  route({
    method: 'GET',
    path,
    query: ListQuery,
    handle: (request) => listed(inVault(request, request.params['vault']), request.query),
  }),
  route({ method: 'GET', path: `${path}/:id`, handle: (request) => ({ body: credential(request).body }) }),
  route({
    method: 'POST',
    path: `${path}/:id`,
    body: Update,
    handle(request) {
      const current = credential(request)
      refuseArchived(current)
      const { display_name, metadata, auth } = request.body
      const changed = auth && changedAuth(current, auth)
      const hidden = changed?.secret ? { ...current, hidden: { secret_value: changed.secret } } : current
      return {
        body: merged(request, hidden, {
          display_name,
          metadata: checkedMetadata(metadata),
          auth: changed?.answered,
        }).body,
      }
    },
  }),
  route({ method: 'POST', path: `${path}/:id/archive`, handle: (request) => archive(request, credential(request)) }),
  route({ method: 'DELETE', path: `${path}/:id`, handle: (request) => remove(request, credential(request)) }),
]

/**
 * Yields the credentials that name the vault in a member of their own. They are not its children in the store, because
 * deleting the vault must not remove them.
 */
function* inVault({ store }: EmulatorContext, vaultId: string | undefined): Generator<StoredObject> {
  for (const object of store.all('credentials')) if (object.body['vault_id'] === vaultId) yield object
}

function credential(request: EmulatorContext & { readonly params: Readonly<Record<string, string>> }): StoredObject {
  const object = found(request, 'credentials', request.params['id'])
  if (object.body['vault_id'] !== request.params['vault']) throw refuse('notFound', 'not in this vault')
  return object
}

function create(context: EmulatorContext, vaultId: string, body: Static<typeof Create>): StoredObject {
  refuseArchived(found(context, 'vaults', vaultId))
  const auth = checkedAuth(NewAuth, body.auth)
  const { secret_name, secret_value } = auth
  for (const other of inVault(context, vaultId))
    if (!isArchived(other) && authOf(other)['secret_name'] === secret_name)
      throw refuse('conflict', `a credential with secret_name ${secret_name} already exists in this vault`)
  return make(context, {
    collection: 'credentials',
    id: context.store.newId('vcrd_'),
    type: 'credential',
    members: {
      vault_id: vaultId,
      display_name: body.display_name,
      auth: {
        type: auth.type,
        secret_name,
        networking: checkedNetworking(auth.networking),
        injection_location: { header: true, body: false, ...auth.injection_location },
      },
      metadata: checkedMetadata(body.metadata) ?? {},
    },
    hidden: { secret_value },
  })
}

function changedAuth(current: StoredObject, sent: Static<typeof AnyAuth>): { answered: JsonObject; secret?: string } {
  const { secret_name, secret_value, networking, injection_location } = checkedAuth(ChangedAuth, sent)
  const before = authOf(current)
  if (secret_name !== undefined && secret_name !== before['secret_name'])
    throw refuse('invalid', 'auth.secret_name cannot be changed', { code: 'InvalidParameter' })
  const injection = isObject(before['injection_location']) ? before['injection_location'] : {}
  return {
    answered: {
      ...before,
      ...(networking ? { networking: checkedNetworking(networking) } : {}),
      injection_location: { ...injection, ...injection_location },
    },
    // An empty secret keeps the old one.
    ...(secret_value ? { secret: secret_value } : {}),
  }
}

function checkedAuth<Schema extends typeof NewAuth | typeof ChangedAuth>(
  schema: Schema,
  auth: Static<typeof AnyAuth>,
): Static<Schema> {
  const { type } = auth
  if (typeof type === 'string' && type !== acceptedType)
    throw refuse('invalid', `auth.type ${type} is not supported`, { code: 'CREDENTIAL_AUTH_TYPE_ERROR' })
  const issue = issuesOf(schema, auth)[0]
  if (issue) throw refuse('invalid', `auth.${issue.message}`)
  return auth as Static<Schema> // `issuesOf` has found nothing.
}

function checkedNetworking(networking: Static<typeof Networking> | undefined): JsonObject {
  if (networking?.allowed_hosts?.length) return networking
  throw refuse('conflict', 'auth.networking.allowed_hosts is required', { code: 'CREDENTIAL_AUTH_NETWORKING_ERROR' })
}

function authOf({ body }: StoredObject): Readonly<Record<string, Json | undefined>> {
  return isObject(body['auth']) ? body['auth'] : {}
}
