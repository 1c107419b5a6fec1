// Emulated environments: unique names, patched configuration, in use while sessions are alive.
import { type Static, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import { changeMembers } from '../../emulator/members.js'
import type { StoredObject } from '../../emulator/store.js'
import { iso, newId, patchedMetadata, requireObject, touched, withChanges } from './objects.js'
import { usualRoutes } from './routes.js'
import { Exact, Maybe, Metadata, presentMembers } from './schema.js'

const Name = Type.String({ pattern: '^[a-z0-9][a-z0-9-_.]{2,63}$' })
const Names = Type.Array(Type.String({ minLength: 1 }))
const Host = Type.String({ minLength: 1, pattern: '^[^/\\s]+$' })

const Networking = Exact({
  type: Type.Enum(['unrestricted', 'limited']),
  allow_mcp_servers: Maybe(Type.Boolean()),
  allow_package_managers: Maybe(Type.Boolean()),
  allowed_hosts: Maybe(Type.Array(Host)),
})

const packageManagers = ['apt', 'cargo', 'gem', 'go', 'npm', 'pip'] as const
const Packages = Exact({
  type: Maybe(Type.Literal('packages')),
  apt: Maybe(Names),
  cargo: Maybe(Names),
  gem: Maybe(Names),
  go: Maybe(Names),
  npm: Maybe(Names),
  pip: Maybe(Names),
})

const Config = Exact({
  type: Type.Enum(['cloud', 'self_hosted']),
  networking: Maybe(Networking),
  packages: Maybe(Packages),
  env: Maybe(Type.Record(Type.String({ pattern: '^(?!ARK_|VOLC_)' }), Type.String(), { additionalProperties: false })),
  setup_script: Maybe(Type.String()),
  tos: Maybe(Exact({ bucket: Type.Optional(Type.String()), prefix: Type.Optional(Type.String()) })),
})

const Create = Exact({
  name: Name,
  description: Maybe(Type.String()),
  config: Maybe(Config),
  scope: Maybe(Type.Enum(['organization', 'account'])),
  metadata: Maybe(Metadata),
})

const Update = Exact({
  name: Maybe(Name),
  description: Maybe(Type.String()),
  config: Maybe(Type.Partial(Config, { additionalProperties: false })),
  scope: Maybe(Type.Enum(['organization', 'account'])),
  metadata: Maybe(Metadata),
})

/** States in which a session uses its environment. */
const livingStates: ReadonlySet<Json | undefined> = new Set(['idle', 'running', 'rescheduling'])

export const environments: Collection = {
  kind: 'environment',
  isTopLevel: true,
  isPermanent: false,
  touched,
  seeding: seeding({ schema: Create, defaults: { name: 'seeded', config: { type: 'cloud' } }, create }),
}

export const environmentRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/environments', collection: 'environments', verbs: ['list', 'read'] }),
  route({
    method: 'POST',
    path: '/environments',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  route({
    method: 'POST',
    path: '/environments/:id',
    body: Update,
    handle(request) {
      const current = requireObject(request, 'environments', request.params['id'])
      return { body: request.store.put(withChanges(current, request, updates(request, current, request.body))).body }
    },
  }),
  route({
    method: 'DELETE',
    path: '/environments/:id',
    handle(request) {
      const current = requireObject(request, 'environments', request.params['id'])
      for (const { id, body } of request.store.all('sessions'))
        if (body['environment_id'] === current.id && livingStates.has(body['status']))
          throw refuse('conflict', `the environment is used by session ${id}`)
      request.store.remove(current)
      return { body: { id: current.id, type: 'environment_deleted' } }
    },
  }),
]

function create(context: EmulatorContext, body: Static<typeof Create>, wantedId?: string): StoredObject {
  refuseTakenName(context, body.name)
  const id = wantedId ?? newId(context, 'env')
  const { config, metadata, ...rest } = presentMembers(body)
  return context.store.insert({
    id,
    collection: 'environments',
    createdAtMs: context.nowMs,
    body: {
      id,
      type: 'environment',
      ...rest,
      config: mergedConfig({ type: 'cloud', networking: { type: 'unrestricted' } }, config ?? {}),
      metadata: patchedMetadata({}, metadata ?? {}, context),
      created_at: iso(context.nowMs),
      updated_at: iso(context.nowMs),
    },
  })
}

function updates(context: EmulatorContext, current: StoredObject, body: Static<typeof Update>): JsonObject {
  const { config, metadata, ...rest } = presentMembers(body)
  if (rest.name !== undefined) refuseTakenName(context, rest.name, current.id)
  return {
    ...rest,
    ...(body.description === null ? { description: '' } : {}),
    ...(config ? { config: mergedConfig(current.body['config'], config) } : {}),
    ...(metadata ? { metadata: patchedMetadata(current.body['metadata'], metadata, context) } : {}),
  }
}

function refuseTakenName({ store, ownKnobs }: EmulatorContext, name: string, ownId?: string): void {
  for (const { id, body } of store.all('environments')) {
    if (body['name'] !== name || id === ownId) continue
    throw refuse('conflict', `name: "${name}" already exists in project "default"`, {
      status: Number(ownKnobs['nameConflictStatus']),
    })
  }
}

/** Merges objects recursively and replaces lists; an empty `tos` clears it. */
function mergedConfig(current: Json | undefined, sent: JsonObject): JsonObject {
  const old = isObject(current) ? current : {}
  const config = changeMembers(
    old,
    Object.entries(presentMembers(sent)).map(([key, value]) => {
      const before = old[key]
      const isMerged = isObject(value) && isObject(before) && key !== 'tos'
      return [key, isMerged ? { ...before, ...presentMembers(value) } : value]
    }),
  )
  const { packages } = config
  return isObject(packages) ? { ...config, packages: filledPackages(packages) } : config
}

function filledPackages(packages: JsonObject): JsonObject {
  return {
    type: 'packages',
    ...Object.fromEntries(packageManagers.map((manager) => [manager, packages[manager] ?? []])),
  }
}
