// Emulated environments: unique names, packages replaced whole, lists filled in and sorted by the server.
import { type Static, Type } from 'typebox'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { type Collection, type EmulatorContext, type Route, refuse, route, seeding } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { checkedMetadata, make, mergeMembers, refuseArchived, requireObject, touched } from './objects.js'
import { usualRoutes } from './routes.js'
import { Exact, Maybe, Metadata } from './schema.js'

const Names = Maybe(Type.Array(Type.String({ minLength: 1 })))
const Packages = Exact({ apt: Names, pip: Names, npm: Names, gem: Names, cargo: Names, go: Names })

const Config = Exact({
  type: Maybe(Type.Literal('cloud')),
  // Wrong types are answered with 500 by `checkedNetwork`.
  networking: Maybe(Exact({ type: Type.String() })),
  packages: Maybe(Packages),
})

const members = {
  description: Maybe(Type.String()),
  scope: Maybe(Type.Literal('organization')),
  config: Maybe(Config),
  metadata: Maybe(Metadata),
}
const Name = Type.String({ minLength: 1 })
const Create = Exact({ name: Name, ...members })
const Update = Exact({ name: Maybe(Name), ...members })

/** Package managers that are always in responses. */
const usualManagers = ['apt', 'pip', 'npm'] as const

export const environments: Collection = {
  kind: 'environment',
  isTopLevel: true,
  isPermanent: false,
  touched,
  seeding: seeding({ schema: Create, defaults: { name: 'seeded' }, create }),
}

export const environmentRoutes: readonly Route[] = [
  ...usualRoutes({ path: '/environments', collection: 'environments', verbs: ['list', 'read', 'archive', 'delete'] }),
  route({
    method: 'POST',
    path: '/environments',
    body: Create,
    handle: (request) => ({ body: { ...create(request, request.body).body, requestId: request.requestId } }),
  }),
  route({
    method: 'POST',
    path: '/environments/:id',
    body: Update,
    handle(request) {
      const current = requireObject(request, 'environments', request.params['id'])
      refuseArchived(current)
      const { name, description, config, metadata } = request.body
      if (name !== undefined && name !== current.body['name']) refuseTakenName(request, name)
      return {
        body: mergeMembers(request, current, {
          name,
          description,
          metadata: checkedMetadata(metadata),
          config: config && mergedConfig(current.body['config'], config),
        }).body,
      }
    },
  }),
]

function create(context: EmulatorContext, body: Static<typeof Create>, id?: string): StoredObject {
  refuseTakenName(context, body.name)
  return make(context, {
    collection: 'environments',
    id: id ?? context.store.newId('env_', 24),
    type: 'environment',
    members: {
      name: body.name,
      description: body.description ?? '',
      scope: 'organization',
      config: mergedConfig({ type: 'cloud', networking: { type: 'unrestricted' }, packages: {} }, body.config ?? {}),
      metadata: checkedMetadata(body.metadata) ?? {},
    },
  })
}

function refuseTakenName({ store }: EmulatorContext, name: string): void {
  for (const { body } of store.all('environments'))
    if (body['name'] === name) throw refuse('conflict', `环境名称已存在: ${name}`, { code: '11300026' })
}

function mergedConfig(current: Json | undefined, sent: Static<typeof Config>): JsonObject {
  // The service refuses this with status 500.
  if (sent.networking && sent.networking.type !== 'unrestricted')
    throw refuse('serverError', 'config.networking.type must be one of [unrestricted]')
  const before = isObject(current) ? current : {}
  const packages = sent.packages ?? (isObject(before['packages']) ? before['packages'] : {})
  return { ...before, packages: responsePackages(packages) }
}

function responsePackages(packages: JsonObject): JsonObject {
  const filled = { ...Object.fromEntries(usualManagers.map((manager) => [manager, []])), ...packages }
  return Object.fromEntries(
    Object.entries(filled).map(([manager, names]) => [manager, Array.isArray(names) ? [...names].sort() : names]),
  )
}
