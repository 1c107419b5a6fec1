// The `config` of an environment in both APIs. Updates keep missing members, so every request contains all.
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import { isEmpty } from '../../core/value/tree.js'
import { type EnvironmentBody, isLimited } from '../kinds/environment.js'
import { objectOf, textOf, textsOf } from '../shared/wire.js'
import type { Api } from './client.js'

/** Package managers that requests may name; responses contain others, which are always empty. */
export const packageManagers = ['apt', 'npm', 'pip'] as const

type Config = NonNullable<EnvironmentBody['config']>

export function desiredConfig(config: Config | undefined, api: Api): Tree {
  const { type = 'cloud', networking, packages, setup_script: script } = config ?? {}
  if (type === 'self_hosted') return { type, setup_script: script }
  return {
    type,
    ...(api === 'managed'
      ? { networking: networkOf({ ...networking, type: isLimited(networking) ? 'limited' : 'unrestricted' }) }
      : {}),
    packages: Object.fromEntries(packageManagers.map((manager) => [manager, packages?.[manager]])),
    setup_script: script,
  }
}

export function observedConfig(config: Json | undefined, api: Api): Tree {
  const current = objectOf(config)
  const type = textOf(current['type'])
  if (type === 'self_hosted') return { type, setup_script: current['setup_script'] }
  const packages = objectOf(current['packages'])
  return {
    type,
    ...(api === 'managed' ? { networking: networkOf(objectOf(current['networking'])) } : {}),
    packages: Object.fromEntries(packageManagers.map((manager) => [manager, textsOf(packages[manager])])),
    setup_script: current['setup_script'],
  }
}

/** Returns the configuration of a new environment, without empty members. */
export function newConfig(config: Tree): JsonObject {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)))
}

/** Returns the configuration for an existing environment, with empty values for removed members. */
export function wholeConfig(config: Tree): JsonObject {
  if (config['type'] === 'self_hosted') return { type: 'self_hosted', setup_script: textOf(config['setup_script']) }
  const packages = objectOf(config['packages'])
  return {
    ...config,
    packages: Object.fromEntries(packageManagers.map((manager) => [manager, textsOf(packages[manager])])),
    setup_script: textOf(config['setup_script']),
  }
}

/** Normalises a network: a limited one has all its exceptions, an unrestricted one has none. */
function networkOf(network: JsonObject): JsonObject {
  if (network['type'] !== 'limited') return { type: 'unrestricted' }
  return {
    type: 'limited',
    allow_mcp_servers: network['allow_mcp_servers'] === true,
    allow_package_managers: network['allow_package_managers'] === true,
    allowed_hosts: textsOf(network['allowed_hosts']),
  }
}
