// Emulated environments. The two APIs have separate collections, which differ only in the network settings.
import { type Static, Type } from 'typebox'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { once } from './idempotency.js'
import { list, listQuery } from './list.js'
import { checkedMetadata, Metadata, MetadataPatch, patchedMetadata } from './metadata.js'
import { type Api, environmentCollections, templates } from './names.js'
import {
  activeWhere,
  archive,
  type Context,
  change,
  exact,
  find,
  findActive,
  make,
  refuseTakenName,
  touched,
} from './object.js'

const scriptBytesMax = 64 * 1024
const installed = ['apt', 'npm', 'pip'] as const
const reserved = ['cargo', 'gem', 'go'] as const

const Packages = Type.Object(
  {
    type: Type.Optional(Type.Literal('packages')),
    ...Object.fromEntries(installed.map((manager) => [manager, Type.Optional(Type.Array(Type.String()))])),
    ...Object.fromEntries(
      reserved.map((manager) => [manager, Type.Optional(Type.Array(Type.String(), { maxItems: 0 }))]),
    ),
  },
  exact,
)
const Networking = Type.Object(
  {
    type: Type.Enum(['unrestricted', 'limited']),
    allow_mcp_servers: Type.Optional(Type.Boolean()),
    allow_package_managers: Type.Optional(Type.Boolean()),
    allowed_hosts: Type.Optional(Type.Array(Type.String())),
  },
  exact,
)
const configMembers = {
  packages: Type.Optional(Packages),
  setup_script: Type.Optional(Type.String()),
}
const Config: Readonly<Record<Api, ReturnType<typeof configSchema>>> = {
  managed: configSchema({ networking: Type.Optional(Networking) }),
  forward: configSchema({}),
}

function configSchema(more: Parameters<typeof Type.Object>[0]) {
  return Type.Object({ type: Type.Optional(Type.Enum(['cloud', 'self_hosted'])), ...configMembers, ...more }, exact)
}

const Name = Type.String({ minLength: 1, maxLength: 255 })

const schemas = (api: Api) => ({
  create: Type.Object(
    {
      name: Name,
      description: Type.Optional(Type.String()),
      config: api === 'managed' ? Config.managed : Type.Optional(Config.forward),
      metadata: Type.Optional(Metadata),
    },
    exact,
  ),
  update: Type.Object(
    {
      name: Type.Optional(Name),
      description: Type.Optional(Type.String()),
      config: Type.Optional(Config[api]),
      metadata: Type.Optional(MetadataPatch),
    },
    exact,
  ),
})

type Create = Static<ReturnType<typeof schemas>['create']>

export function environmentRoutes(api: Api): readonly Route[] {
  const collection = environmentCollections[api]
  const { create, update } = schemas(api)
  return [
    route({
      method: 'POST',
      path: '/environments',
      body: create,
      handle: once(`${api} environments`, (request) => ({
        status: 201,
        body: makeEnvironment(api, request, request.body).body,
      })),
    }),
    route({
      method: 'GET',
      path: '/environments',
      query: listQuery('both', {}),
      handle: (request) => list(request.store.all(collection), request, { cursors: 'both' }),
    }),
    route({
      method: 'GET',
      path: '/environments/:id',
      handle: (request) => ({ body: find(request, collection, request.params['id']).body }),
    }),
    route({
      method: 'POST',
      path: '/environments/:id',
      body: update,
      handle(request) {
        const { metadata, config, ...plain } = request.body
        const current = findActive(request, collection, request.params['id'])
        if (plain.name !== undefined)
          refuseTakenName(request, { collection, name: plain.name, kind: 'environment', id: current.id })
        const changed = change(request, current, {
          ...plain,
          ...(config ? { config: mergedConfig(api, current, config) } : {}),
          ...(metadata
            ? { metadata: patchedMetadata(current.body['metadata'], metadata, { deletes: [null, ''] }) }
            : {}),
        })
        return { body: changed.body }
      },
    }),
    route({
      method: 'DELETE',
      path: '/environments/:id',
      handle(request) {
        const current = find(request, collection, request.params['id'])
        refuseInUse(api, request, current)
        request.store.remove(current)
        return api === 'forward'
          ? { status: 204 }
          : { body: { id: current.id, type: 'environment_deleted', deleted: true } }
      },
    }),
    route({
      method: 'POST',
      path: '/environments/:id/archive',
      handle: (request) => ({ body: archive(request, find(request, collection, request.params['id'])).body }),
    }),
  ]
}

export function environmentCollection(api: Api): Collection {
  return {
    kind: 'environment',
    api,
    isTopLevel: true,
    isPermanent: false,
    touched,
    seeding: seeding({
      schema: schemas(api).create,
      defaults: { name: 'seeded environment', config: { type: 'cloud' } },
      create: (context, body, id) => makeEnvironment(api, context, body, id),
    }),
  }
}

function makeEnvironment(api: Api, context: Context, body: Create, id?: string): StoredObject {
  const collection = environmentCollections[api]
  refuseTakenName(context, { collection, name: body.name, kind: 'environment' })
  return make(context, {
    collection,
    prefix: 'env_',
    id,
    body: {
      type: 'environment',
      name: body.name,
      description: body.description ?? '',
      config: normalConfig(api, checkedConfig(body.config ?? { type: 'cloud' })),
      metadata: checkedMetadata(body.metadata),
      status: 'ready',
      archived: false,
      archived_at: null,
      ...(api === 'forward' ? { identity_id: null, icon_url: null, binding_info: { template_count: 0 } } : {}),
    },
  })
}

function mergedConfig(api: Api, { body }: StoredObject, config: JsonObject): JsonObject {
  const current = isObject(body['config']) ? body['config'] : {}
  if (config['type'] !== undefined && config['type'] !== current['type'])
    throw refuse('invalid', 'config.type: cannot be changed', { param: 'config.type' })
  const packages = { ...objectOf(current['packages']), ...objectOf(config['packages']) }
  const isCloud = current['type'] === 'cloud'
  checkedConfig({ ...config, type: current['type'] })
  return normalConfig(api, { ...current, ...config, ...(isCloud ? { packages } : {}) })
}

function checkedConfig(config: JsonObject): JsonObject {
  const script = config['setup_script']
  if (typeof script === 'string' && Buffer.byteLength(script) > scriptBytesMax)
    throw refuse('invalid', 'config.setup_script: at most 64 KB', { param: 'config.setup_script' })
  for (const member of ['networking', 'packages']) {
    if (config['type'] !== 'self_hosted' || config[member] === undefined) continue
    throw refuse('invalid', `config.${member}: not for self_hosted environments`, { param: `config.${member}` })
  }
  return config
}

/** Answers contain every package manager, with defaults filled in. */
function normalConfig(api: Api, config: JsonObject): JsonObject {
  const type = config['type'] ?? 'cloud'
  const script = { setup_script: config['setup_script'] ?? '' }
  if (type === 'self_hosted') return { type, ...script }
  const packages = objectOf(config['packages'])
  const managers = [...installed, ...reserved].sort()
  return {
    type,
    ...(api === 'managed' ? { networking: normalNetwork(objectOf(config['networking'])) } : {}),
    packages: { type: 'packages', ...Object.fromEntries(managers.map((name) => [name, packages[name] ?? []])) },
    ...script,
  }
}

function normalNetwork(network: JsonObject): JsonObject {
  if (network['type'] !== 'limited') return { type: 'unrestricted' }
  return {
    type: 'limited',
    allow_mcp_servers: network['allow_mcp_servers'] === true,
    allow_package_managers: network['allow_package_managers'] === true,
    allowed_hosts: network['allowed_hosts'] ?? [],
  }
}

function refuseInUse(api: Api, context: Context, environment: StoredObject): void {
  if (api === 'managed' && Number(environment.hidden['sessions'] ?? 0) > 0)
    throw refuse('conflict', 'environment in use by sessions', { code: 'environment_in_use' })
  const users = activeWhere(context, templates, ({ body }) => body['environment_id'] === environment.id)
  if (users.length > 0)
    throw refuse('conflict', `environment in use by ${users.length} templates`, { code: 'environment_in_use' })
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}
