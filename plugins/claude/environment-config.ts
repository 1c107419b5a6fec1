// The `config` of an environment. An update keeps missing members, so every list is sent, including empty ones.
import { isObject, type Json, type Tree } from '../../core/value/tree.js'
import { type EnvironmentBody, isLimited } from '../kinds/environment.js'
import { objectOf } from '../shared/wire.js'

export const packageManagers = ['apt', 'cargo', 'gem', 'go', 'npm', 'pip'] as const

type Config = NonNullable<EnvironmentBody['config']>

export function desiredConfig(config: Config | undefined): Tree {
  return {
    type: 'cloud',
    networking: desiredNetworking(config?.networking),
    packages: Object.fromEntries(packageManagers.map((manager) => [manager, config?.packages?.[manager] ?? []])),
  }
}

export function observedConfig(config: Json | undefined): Tree {
  const { type, networking, packages } = objectOf(config)
  return {
    type,
    networking: observedNetworking(networking),
    packages: Object.fromEntries(packageManagers.map((manager) => [manager, objectOf(packages)[manager]])),
  }
}

function desiredNetworking(networking: Config['networking']): Tree {
  if (!isLimited(networking)) return { type: 'unrestricted' }
  return {
    type: 'limited',
    allow_mcp_servers: networking?.allow_mcp_servers ?? false,
    allow_package_managers: networking?.allow_package_managers ?? false,
    allowed_hosts: networking?.allowed_hosts ?? [],
  }
}

function observedNetworking(networking: Json | undefined): Tree {
  if (!isObject(networking) || networking['type'] !== 'limited') return { type: 'unrestricted' }
  const { allow_mcp_servers, allow_package_managers, allowed_hosts } = networking
  return {
    type: 'limited',
    allow_mcp_servers: allow_mcp_servers ?? false,
    allow_package_managers: allow_package_managers ?? false,
    allowed_hosts,
  }
}
