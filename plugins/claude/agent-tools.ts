// Tools of an agent. The wire has arrays of toolsets with defaults and exceptions; what is compared is their effect,
// by tool name, so that a plan shows the tool that changes and not two lists.
//
//   builtin: { "*": "allow", bash: "ask" }     every built-in tool, bash only after asking
//   mcp: { tracker: { search: "on" } }         of the server `tracker` the tool `search` alone
import { isEmpty, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { type Permission, toolPermissions } from '../kinds/tool-permissions.js'
import { limitedTools, normalPolicies, off, others, type Policies, withNames } from '../shared/tool-policies.js'
import { objectOf, objectsOf } from '../shared/wire.js'
import { builtinToolset } from './toolset.js'

export const builtinTools = ['bash', 'edit', 'glob', 'grep', 'read', 'web_fetch', 'web_search', 'write'] as const

const mcpToolset = 'mcp_toolset'

/** Value for an MCP tool that may be used. */
export const on = 'on'

const policyOf: Readonly<Record<Permission, string>> = { allow: 'always_allow', ask: 'always_ask' }
const permissionOf: Readonly<Record<string, Permission>> = { always_allow: 'allow', always_ask: 'ask' }

const known: ReadonlySet<string> = new Set(builtinTools)

export function desiredTools({ tools, mcp_servers: servers }: AgentBody): Tree {
  const builtin = tools && [...toolPermissions(tools, builtinTools)].filter(([name]) => known.has(name))
  return {
    builtin: builtin ? normalPolicies(Object.fromEntries(builtin), builtinTools) : { [others]: 'allow' },
    mcp: Object.fromEntries((servers ?? []).map(({ name }) => [name, desiredMcp(tools?.mcp, name)])),
  }
}

type Toolkits = NonNullable<AgentBody['tools']>['mcp']

/**
 * Returns the policies of the servers: without a toolkit all tools of a server may be used, with one only those that it
 * names (agent configuration 2.13).
 */
function desiredMcp(toolkits: Toolkits, server: string): Tree {
  const toolkit = toolkits?.find(({ mcp_server_name: name }) => name === server)
  if (!toolkit) return { [others]: on }
  const configs = (toolkit.configs ?? []).map(({ name, enabled }) => [name, enabled ? on : off] as const)
  return effect(toolkit.default_config?.enabled ? on : off, configs)
}

export function observedTools(tools: Json | undefined): Tree {
  const sets = objectsOf(tools)
  const builtin = sets.find(({ type }) => type === builtinToolset)
  const mcp = sets.filter(({ type }) => type === mcpToolset)
  return {
    builtin: builtin && normalPolicies(observedSet(builtin, permission), builtinTools),
    mcp: Object.fromEntries(mcp.map((set) => [String(set['mcp_server_name']), observedSet(set, () => on)])),
  }
}

/** Returns the effective permissions of a set, however its default and exceptions are written. */
function observedSet({ default_config, configs }: JsonObject, value: (config: JsonObject) => string): Policies {
  const setting = (config: JsonObject) => (config['enabled'] === false ? off : value(config))
  return effect(
    setting(objectOf(default_config)),
    objectsOf(configs).map((config) => [String(config['name']), setting(config)] as const),
  )
}

function effect(rest: string, named: readonly (readonly [string, string])[]): Policies {
  const exceptions = named.filter(([, value]) => value !== rest)
  return { ...(rest === off ? {} : { [others]: rest }), ...Object.fromEntries(exceptions) }
}

/** Returns the permission; one that cannot be declared (`auto`) is returned unchanged. */
function permission({ permission_policy }: JsonObject): string {
  const { type } = objectOf(permission_policy)
  return typeof type === 'string' ? (permissionOf[type] ?? type) : 'allow'
}

/**
 * Returns the tools of a request, with a toolset for every MCP server, as the API requires. Tools with limits in
 * `current` are always named, so that there is a place for the limits.
 */
export function wireTools(tools: Json | undefined, current: Json | undefined): readonly JsonObject[] {
  const { builtin, mcp } = objectOf(tools)
  const sets = objectsOf(current)
  const limited = limitedTools(sets.find(({ type }) => type === builtinToolset))
  const servers = Object.entries(objectOf(mcp)).map(([server, set]) => {
    const present = sets.find(({ mcp_server_name: name }) => name === server)
    return wireMcp(server, withNames(objectOf(set), limitedTools(present)))
  })
  const isAbsent = isEmpty(builtin) && limited.length === 0
  return [...(isAbsent ? [] : [wireBuiltin(withNames(objectOf(builtin), limited))]), ...servers]
}

function wireBuiltin(set: JsonObject): JsonObject {
  if (isEverything(set, 'allow')) return { type: builtinToolset }
  const { [others]: rest = off, ...named } = set
  return {
    type: builtinToolset,
    default_config: setting(rest),
    configs: Object.entries(named).map(([name, value]) => ({ name, ...setting(value) })),
  }
}

function setting(value: Json | undefined): JsonObject {
  if (value === off) return { enabled: false }
  const policy = value === 'allow' || value === 'ask' ? policyOf[value] : String(value)
  return { enabled: true, permission_policy: { type: policy } }
}

function wireMcp(server: string, set: JsonObject): JsonObject {
  const { [others]: rest = off, ...named } = set
  const configs = Object.entries(named).map(([name, value]) => ({ name, enabled: value === on }))
  return {
    type: mcpToolset,
    mcp_server_name: server,
    default_config: { enabled: rest === on },
    ...(configs.length > 0 ? { configs } : {}),
  }
}

function isEverything(set: JsonObject, value: string): boolean {
  return set[others] === value && Object.keys(set).length === 1
}
