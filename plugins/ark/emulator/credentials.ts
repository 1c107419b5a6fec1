// Emulated credentials: one per match key; secrets are never returned.
import { type Static, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { iso, listAnswer, newId, PageQuery, patchedMetadata, requireObject, touched, withChanges } from './objects.js'
import { Exact, Maybe, Metadata, presentMembers, withoutEmpty } from './schema.js'

const credentialsMax = 100
const secretMembers: ReadonlySet<string> = new Set(['token', 'secret_value', 'access_token', 'refresh'])

const Url = Type.String({ pattern: '^https?://' })
const Secret = Type.String({ minLength: 1 })
const Hosts = Type.Array(Type.String({ minLength: 1 }))

/** Schema of both documented shapes of networking. */
const Networking = Type.Union([
  Exact({ type: Type.Literal('unrestricted') }),
  Exact({ type: Type.Literal('limited'), allowed_hosts: Hosts }),
  Exact({ type: Type.Literal('limited'), limited: Exact({ allowed_hosts: Hosts }) }),
])
const oauth = { expires_at: Maybe(Type.String()), refresh: Maybe(Type.Unsafe<JsonObject>(Type.Object({}))) }

const CreateAuth = Type.Union([
  Exact({ type: Type.Literal('static_bearer'), mcp_server_url: Url, token: Secret }),
  Exact({
    type: Type.Literal('environment_variable'),
    secret_name: Type.String({ minLength: 1 }),
    secret_value: Secret,
    networking: Maybe(Networking),
  }),
  Exact({ type: Type.Literal('mcp_oauth'), mcp_server_url: Url, access_token: Secret, ...oauth }),
])
const UpdateAuth = Type.Union([
  Exact({ type: Type.Literal('static_bearer'), token: Maybe(Secret) }),
  Exact({
    type: Type.Literal('environment_variable'),
    secret_value: Maybe(Secret),
    networking: Maybe(Networking),
  }),
  Exact({ type: Type.Literal('mcp_oauth'), access_token: Maybe(Secret), ...oauth }),
])
const DisplayName = Type.String({ minLength: 1, maxLength: 255 })
const Create = Exact({ display_name: Maybe(DisplayName), auth: CreateAuth, metadata: Maybe(Metadata) })
const Update = Exact({ display_name: Maybe(DisplayName), auth: Maybe(UpdateAuth), metadata: Maybe(Metadata) })

const path = '/vaults/:vault/credentials'

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
    handle(request) {
      const vault = requireObject(request, 'vaults', request.params['vault'])
      return { body: create(request, vault, request.body).body }
    },
  }),
  route({
    method: 'GET',
    path,
    query: PageQuery,
    handle(request) {
      const vault = requireObject(request, 'vaults', request.params['vault'])
      return listAnswer(request.store.childrenOf('credentials', vault.id), request.query, 'credentials')
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:id`,
    handle: (request) => ({ body: credential(request, request.params).body }),
  }),
  route({
    method: 'POST',
    path: `${path}/:id`,
    body: Update,
    handle(request) {
      const current = credential(request, request.params)
      return { body: request.store.put(updated(request, current, request.body)).body }
    },
  }),
  route({
    method: 'DELETE',
    path: `${path}/:id`,
    handle(request) {
      const current = credential(request, request.params)
      request.store.remove(current)
      return { body: { id: current.id, type: 'vault_credential_deleted' } }
    },
  }),
]

function credential(context: EmulatorContext, params: Readonly<Record<string, string>>): StoredObject {
  const object = requireObject(context, 'credentials', params['id'])
  if (object.parent !== params['vault']) throw refuse('notFound', 'the vault has no such credential')
  return object
}

function create(context: EmulatorContext, vault: StoredObject, body: Static<typeof Create>): StoredObject {
  const siblings = [...context.store.childrenOf('credentials', vault.id)]
  const key = matchKey(body.auth)
  if (siblings.some((sibling) => matchKey(sibling.body['auth']) === key))
    throw refuse('conflict', `a credential for "${key}" already exists in the vault`)
  if (siblings.length >= credentialsMax) throw refuse('conflict', `a vault holds at most ${credentialsMax} credentials`)
  if ('mcp_server_url' in body.auth && context.ownKnobs['mcpHandshake'] === 'fails')
    throw refuse('invalid', `the handshake with ${body.auth.mcp_server_url} failed`, { param: 'auth.mcp_server_url' })
  const id = newId(context, 'vcrd')
  return context.store.insert({
    id,
    collection: 'credentials',
    parent: vault.id,
    createdAtMs: context.nowMs,
    body: {
      id,
      type: 'vault_credential',
      vault_id: vault.id,
      display_name: body.display_name ?? '',
      auth: visibleAuth(body.auth),
      metadata: patchedMetadata({}, body.metadata ?? {}, context),
      created_at: iso(context.nowMs),
      updated_at: iso(context.nowMs),
    },
    hidden: secretsIn(body.auth),
  })
}

function updated(context: EmulatorContext, current: StoredObject, body: Static<typeof Update>): StoredObject {
  const { auth, metadata, ...rest } = presentMembers(body)
  const currentAuth = isObject(current.body['auth']) ? current.body['auth'] : {}
  if (auth && auth.type !== currentAuth['type'])
    throw refuse('invalid', 'auth.type cannot be changed', { param: 'auth.type' })
  const after = withChanges(current, context, {
    ...rest,
    ...(auth ? { auth: { ...currentAuth, ...visibleAuth(auth) } } : {}),
    ...(metadata ? { metadata: patchedMetadata(current.body['metadata'], metadata, context) } : {}),
  })
  return auth ? { ...after, hidden: { ...current.hidden, ...secretsIn(auth) } } : after
}

function matchKey(auth: Json | undefined): Json | undefined {
  return isObject(auth) ? (auth['mcp_server_url'] ?? auth['secret_name']) : undefined
}

function visibleAuth(auth: JsonObject): JsonObject {
  const { networking, ...rest } = Object.fromEntries(
    Object.entries(presentMembers(auth)).filter(([name]) => !secretMembers.has(name)),
  )
  return withoutEmpty({ ...rest, networking: isObject(networking) ? flatNetworking(networking) : undefined })
}

function flatNetworking({ type, allowed_hosts, limited }: JsonObject): JsonObject {
  if (type !== 'limited') return { type }
  return { type, allowed_hosts: allowed_hosts ?? (isObject(limited) ? limited['allowed_hosts'] : []) }
}

function secretsIn(auth: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(presentMembers(auth)).filter(([name]) => secretMembers.has(name)))
}
