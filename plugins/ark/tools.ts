// Tools of an agent: the wire's lists of sets, defaults and exceptions, compared as one small map for each set.
//
//   builtin: { "*": "allow", bash: "ask" }        every built-in tool, bash only after asking
//   mcp: { tracker: { search: "allow" } }         of the server `tracker` the tool `search` alone
//
// `*` stands for the tools not named and is left out when they are off; so is whatever equals it.

import { isEmpty, isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { toolPermissions } from '../kinds/tool-permissions.js'
import {
  exceptions,
  limitedTools,
  normalPolicies,
  off,
  others,
  type Policies,
  permissionIn,
  settingOf,
  toolkitPolicies,
  withNames,
} from '../shared/tool-policies.js'
import { objectOf, objectsOf } from '../shared/wire.js'

/** Names of the built-in tools. */
export const builtinTools = ['bash', 'read', 'write', 'edit', 'glob', 'grep', 'web_fetch', 'web_search'] as const

const builtinSet = 'agent_toolset_20260701'

/** Earlier editions of the built-in set; agents made with one keep it until their next update. */
const builtinSets: ReadonlySet<Json | undefined> = new Set([builtinSet, 'agent_toolset_20260401'])

/**
 * Returns declared permissions. Without `tools` every built-in tool may be used; otherwise only the tools that it
 * names. Instead of a permission, `fallback` means that there is no set for the tool.
 */
export function desiredTools({ tools, mcp_servers = [] }: AgentBody): Tree {
  const toolkits = new Map(tools?.mcp?.map((toolkit) => [toolkit.mcp_server_name, toolkit]))
  return {
    builtin: tools
      ? normalPolicies(Object.fromEntries(toolPermissions(tools, builtinTools)), builtinTools)
      : { [others]: 'allow' },
    mcp: Object.fromEntries(mcp_servers.map(({ name }) => [name, toolkitPolicies(toolkits.get(name))])),
  }
}

/**
 * Returns the permissions in a response's `tools`. Sets that cannot be declared are under `undeclared`, because an
 * update would remove them.
 */
export function observedTools(tools: Json | undefined): Tree {
  const sets = Array.isArray(tools) ? tools.filter(isObject) : []
  const builtin = sets.find(({ type }) => builtinSets.has(type))
  const mcp = sets.filter(({ type }) => type === 'mcp_toolset')
  return {
    builtin: builtin ? normalPolicies(observedSet(builtin, 'allow'), builtinTools) : { [others]: 'fallback' },
    mcp: Object.fromEntries(mcp.map((set) => [String(set['mcp_server_name']), observedSet(set, 'ask')])),
    undeclared: sets.filter((set) => set !== builtin && !mcp.includes(set)),
  }
}

/** True if the compared tree has sets that cannot be declared. */
export function hasUndeclaredTools({ tools }: Tree): boolean {
  return isObject(tools) && !isEmpty(tools['undeclared'])
}

/**
 * Returns the tools of a request. Every MCP server gets a set, without which its tools could not be called. Tools with
 * limits in `current` are always named, so that there is a place for the limits.
 */
export function wireTools(
  tools: Json | undefined,
  servers: readonly string[],
  current: Json | undefined,
): readonly JsonObject[] {
  const { builtin, mcp, undeclared } = objectOf(tools)
  const sets = objectsOf(current)
  const named = (set: Json | undefined, present: JsonObject | undefined) =>
    wireSet(withNames(objectOf(set), limitedTools(present)))
  return [
    {
      type: builtinSet,
      ...named(
        builtin,
        sets.find(({ type }) => builtinSets.has(type)),
      ),
    },
    ...servers.map((server) => ({
      type: 'mcp_toolset',
      mcp_server_name: server,
      ...named(
        objectOf(mcp)[server],
        sets.find((one) => one['mcp_server_name'] === server),
      ),
    })),
    ...objectsOf(undeclared),
  ]
}

/**
 * Returns the policies of a set. `unsaid` is the policy of a set whose default has none; it differs between the kinds
 * of set. A set without a default is stored as enabled and allowed.
 */
function observedSet({ default_config, configs }: JsonObject, unsaid: string): Policies {
  const setting = (config: JsonObject, isOn: boolean, permission: string) =>
    (config['enabled'] ?? isOn) === true ? permissionIn(config, permission) : off
  const usual = isObject(default_config) ? permissionIn(default_config, unsaid) : 'allow'
  const rest = isObject(default_config) ? setting(default_config, true, unsaid) : 'allow'
  const named = objectsOf(configs).map((config) => [String(config['name']), setting(config, rest !== off, usual)])
  return exceptions({ ...Object.fromEntries(named), [others]: rest })
}

/**
 * Returns a set with explicit default and exceptions: the values that the server takes for missing ones differ between
 * the kinds of set.
 */
function wireSet(set: JsonObject): JsonObject {
  const { [others]: rest = off, ...named } = set
  return {
    default_config: wirePolicy(rest),
    configs: Object.entries(named).map(([name, policy]) => ({ name, ...wirePolicy(policy) })),
  }
}

function wirePolicy(policy: Json | undefined): JsonObject {
  return { permission_policy: { type: 'always_allow' }, ...settingOf(policy) }
}
