// Resolves the tools of an agent, as the server does: defaults are filled in, and every tool has a policy.
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { refuse } from '../../emulator/contract.js'
import type { Tool, Toolset } from './tool-schema.js'

export function resolvedTools(tools: readonly Tool[]): readonly JsonObject[] {
  const names = tools.flatMap((tool) => (tool.type === 'custom' ? [tool.name] : []))
  if (new Set(names).size < names.length) throw refuse('invalid', 'tools: names of custom tools must be unique')
  return tools.map((tool) => (tool.type === 'custom' ? (tool as JsonObject) : resolvedToolset(tool)))
}

function resolvedToolset(set: Toolset): JsonObject {
  const { default_config, configs = [], ...rest } = set
  const isBuiltin = set.type === 'agent_toolset_20260401'
  const enabled = default_config?.enabled ?? true
  const policy = default_config?.permission_policy ?? { type: isBuiltin ? 'always_allow' : 'always_ask' }
  return {
    ...rest,
    default_config: { enabled, permission_policy: policy },
    configs: configs.map((config) => ({
      ...(isBuiltin ? resolvedBuiltin(config as JsonObject) : (config as JsonObject)),
      enabled: config.enabled ?? enabled,
      permission_policy: config.permission_policy ?? policy,
    })),
  }
}

function resolvedBuiltin(config: JsonObject): JsonObject {
  const { name, allowed_domains, blocked_domains, url_sources } = config
  if (allowed_domains && blocked_domains)
    throw refuse('invalid', `tools: ${String(name)} has allowed_domains and blocked_domains`)
  return { ...config, type: name, ...(name === 'web_fetch' ? { url_sources: resolvedSources(url_sources) } : {}) }
}

/** Returns the object form of each source; null for one that is not set. */
function resolvedSources(sources: Json | undefined): Json {
  if (!isObject(sources)) return null
  const resolved = ['client_tool_results', 'server_tool_results', 'user_input'].map((source) => {
    const given = sources[source] ?? null
    return [source, typeof given === 'string' ? { type: given } : given] as const
  })
  if (resolved.every(([, source]) => isObject(source) && source['type'] === 'none'))
    throw refuse('invalid', 'tools: url_sources: one source must contribute URLs')
  return Object.fromEntries(resolved)
}
