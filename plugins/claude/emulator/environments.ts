// Emulated environments: updates keep missing members, the type never changes, and live sessions block deletion.
import { type Static, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { isArchived, live, patchedMetadata, removeObject, requireObject, timeText, withChanges } from './objects.js'
import { usualRoutes } from './routes.js'
import { call, exact, Metadata, MetadataPatch, name, nullable, optional, text } from './schema.js'

const packages = optional(nullable(Type.Array(Type.String({ minLength: 1 }))))
const managers = ['apt', 'cargo', 'gem', 'go', 'npm', 'pip'] as const

const Networking = Type.Union([
  exact({ type: Type.Literal('unrestricted') }),
  exact({
    type: Type.Literal('limited'),
    allow_mcp_servers: optional(nullable(Type.Boolean())),
    allow_package_managers: optional(nullable(Type.Boolean())),
    allowed_hosts: optional(nullable(Type.Array(text()))),
  }),
])

const Config = Type.Union([
  exact({
    type: Type.Literal('cloud'),
    networking: optional(nullable(Networking)),
    packages: optional(
      nullable(
        exact({
          type: optional(Type.Literal('packages')),
          apt: packages,
          cargo: packages,
          gem: packages,
          go: packages,
          npm: packages,
          pip: packages,
        }),
      ),
    ),
  }),
  exact({ type: Type.Literal('self_hosted') }),
])

const scope = optional(nullable(Type.Literal('organization')))
const Create = exact({
  name,
  description: optional(nullable(text())),
  config: optional(nullable(Config)),
  metadata: optional(Metadata),
  scope,
})
const Update = exact({
  name: optional(nullable(name)),
  description: optional(nullable(text())),
  config: optional(nullable(Config)),
  metadata: optional(MetadataPatch),
  scope,
})

function configOf(given: Static<typeof Config> | null | undefined, current: JsonObject): JsonObject {
  const type = given?.type ?? current['type'] ?? 'cloud'
  if (current['type'] !== undefined && current['type'] !== type)
    throw refuse('invalid', 'config.type: cannot be changed', {
      code: 'invalid_config_type_change',
      param: 'config.type',
    })
  if (type !== 'cloud') return { type }
  const cloud = given?.type === 'cloud' ? given : undefined
  const networking = cloud?.networking
    ? networkingOf(cloud.networking)
    : (current['networking'] ?? { type: 'unrestricted' })
  const currentPackages = isObject(current['packages']) ? current['packages'] : {}
  const lists = managers.map(
    (manager) => [manager, cloud?.packages?.[manager] ?? currentPackages[manager] ?? []] as const,
  )
  checkReachable(networking, lists)
  return { type, networking, packages: { type: 'packages', ...Object.fromEntries(lists) } }
}

function networkingOf(given: Static<typeof Networking>): JsonObject {
  if (given.type === 'unrestricted') return { type: given.type }
  const { type, allow_mcp_servers, allow_package_managers, allowed_hosts } = given
  return {
    type,
    allow_mcp_servers: allow_mcp_servers ?? false,
    allow_package_managers: allow_package_managers ?? false,
    allowed_hosts: allowed_hosts ?? [],
  }
}

function checkReachable(networking: Json, lists: readonly (readonly [string, Json])[]): void {
  const isClosed =
    isObject(networking) && networking['type'] === 'limited' && networking['allow_package_managers'] !== true
  if (isClosed && lists.some(([, names]) => Array.isArray(names) && names.length > 0))
    throw refuse('invalid', 'config.packages: need allow_package_managers under a limited network', {
      param: 'config.packages',
    })
}

function create(
  context: EmulatorContext,
  body: Static<typeof Create>,
  id = context.store.newId('env_01'),
): StoredObject {
  const now = timeText(context.nowMs)
  return context.store.insert({
    id,
    collection: 'environment',
    createdAtMs: context.nowMs,
    body: {
      id,
      type: 'environment',
      name: body.name,
      description: body.description ?? null,
      config: configOf(body.config, {}),
      metadata: patchedMetadata({}, body.metadata),
      scope: body.scope ?? 'organization',
      created_at: now,
      updated_at: now,
      archived_at: null,
    },
  })
}

export const environmentRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/environments', collection: 'environment', verbs: ['list', 'read', 'archive'] }),
  call({
    method: 'POST',
    path: '/environments',
    body: Create,
    handle: (request) => ({ body: create(request, request.body).body }),
  }),
  call({
    method: 'POST',
    path: '/environments/:id',
    body: Update,
    handle(request) {
      const { store, params, body } = request
      const environment = live(store, 'environment', params['id'], 'environment_archived')
      const { config, metadata } = environment.body
      const next = withChanges(environment, request, {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.description === undefined ? {} : { description: body.description }),
        config: configOf(body.config, isObject(config) ? config : {}),
        metadata: patchedMetadata(metadata, body.metadata, { emptyDeletes: true }),
      })
      return { body: store.put(next).body }
    },
  }),
  call({
    method: 'DELETE',
    path: '/environments/:id',
    handle({ store, params }) {
      const environment = requireObject(store, 'environment', params['id'])
      const isUsed = [...store.all('session')].some(
        (session) => session.body['environment_id'] === environment.id && !isArchived(session),
      )
      if (isUsed) throw refuse('conflict', 'sessions still use this environment; archive it instead')
      return removeObject(environment, store, 'environment_deleted')
    },
  }),
]

export const environmentCollection: Collection = {
  kind: 'environment',
  isTopLevel: true,
  isPermanent: false,
  seeding: seeding({ schema: Create, defaults: { name: 'seeded' }, create }),
  touched: (object, context) => withChanges(object, context, {}),
}
