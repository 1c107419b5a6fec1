// Environments: cloud sandboxes. `config` is patched key by key, so an undeclared key is sent with an explicit empty
// value.
import { patchBody } from '../../core/plugin/body.js'
import { type ApiFailure, isFailure } from '../../core/plugin/failure.js'
import { type Handler, handler, type Remote } from '../../core/plugin/handler.js'
import { pathTo } from '../../core/plugin/path-to.js'
import type { Written } from '../../core/plugin/undeclared.js'
import type { JsonObject, Tree } from '../../core/value/tree.js'
import { type EnvironmentBody, isLimited, type Networking } from '../kinds/environment.js'
import { declaredEnvironment } from '../shared/declared.js'
import { objectOf } from '../shared/wire.js'
import { calledName, collection } from './answers.js'
import type { ArkClient } from './client.js'
import { patch } from './patch.js'
import { sessionsIn } from './session-use.js'
import { wireName, wireNames } from './wire-name.js'

const fields = {
  // The server derives its own name from this one, so the two may differ. Only a changed declaration renames.
  name: { writeOnly: true },
  description: { clear: '' },
  'config/networking/allowed_hosts': { unordered: true },
  metadata: { map: 'patchNull' },
} as const

const packageManagers = ['apt', 'cargo', 'gem', 'go', 'npm', 'pip'] as const

const wire = (tree: Tree): JsonObject => ({ ...tree, config: sentConfig(tree) })

const written = { fields, wire } as const satisfies Written

export const environment: Handler<ArkClient> = handler<ArkClient, EnvironmentBody>({
  ...collection('/environments'),
  ...written,
  kind: 'environment',
  support: { reason: 'cloud sandboxes only' },
  mark: 'metadata',

  desired: ({ name, body }) => ({
    name: body.name ?? name,
    description: body.description,
    config: comparedConfig({ type: 'cloud', ...body.config, networking: desiredNetworking(body.config?.networking) }),
    metadata: body.metadata,
  }),
  observed: (remote) => ({
    description: remote['description'],
    config: comparedConfig(objectOf(remote['config'])),
    metadata: remote['metadata'],
  }),

  create: (call, { desired }) =>
    underFreeName(String(desired['name']), (name) =>
      call.client.create('/environments', { ...desired, name, config: sentConfig(desired) }, call),
    ),
  update: (call, request) => {
    const { name, ...body } = patchBody(fields, request, written)
    const path = pathTo`/environments/${request.id}`
    if (name === undefined) return patch(call, path, body)
    return underFreeName(String(name), (free) => patch(call, path, { ...body, name: free }))
  },
  blockers: sessionsIn,

  lostCreate: { by: 'mark' },
  name: calledName,
  declare: ({ remote }, index) => {
    const isOwn = wireName(index.self) === remote['name']
    return declaredEnvironment({ ...environment.observed(remote), name: isOwn ? undefined : remote['name'] }, index)
  },
})

function desiredNetworking(networking: Networking): JsonObject {
  return { ...networking, type: isLimited(networking) ? 'limited' : 'unrestricted' }
}

/**
 * Returns the configuration with defaults and without the server's additions. Flags that are off, and hosts of a network
 * without limits, count as absent.
 */
function comparedConfig(config: JsonObject): Tree {
  const networking = objectOf(config['networking'])
  const packages = objectOf(config['packages'])
  return {
    type: config['type'],
    networking: {
      type: networking['type'] ?? 'unrestricted',
      allow_mcp_servers: networking['allow_mcp_servers'] || undefined,
      allow_package_managers: networking['allow_package_managers'] || undefined,
      allowed_hosts: networking['type'] === 'limited' ? networking['allowed_hosts'] : undefined,
    },
    packages: Object.fromEntries(packageManagers.map((manager) => [manager, packages[manager]])),
  }
}

function sentConfig(desired: Tree): JsonObject {
  const config = objectOf(desired['config'])
  const networking = objectOf(config['networking'])
  const packages = objectOf(config['packages'])
  return {
    type: config['type'],
    networking: { allow_mcp_servers: false, allow_package_managers: false, allowed_hosts: [], ...stated(networking) },
    packages: Object.fromEntries(packageManagers.map((manager) => [manager, packages[manager] ?? []])),
  }
}

/**
 * Tries candidate names until one is free: names are unique in a project of the account, which is shared with others.
 */
async function underFreeName(name: string, send: (name: string) => Promise<Remote>): Promise<Remote> {
  let taken: ApiFailure | undefined
  for (const candidate of wireNames(name)) {
    try {
      return await send(candidate)
    } catch (error) {
      if (!isFailure(error, 'nameTaken')) throw error
      taken = error
    }
  }
  throw taken
}

function stated(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
