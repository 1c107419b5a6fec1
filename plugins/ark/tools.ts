// Tools of an agent: the wire's lists of sets, defaults and exceptions, compared as one small map for each set.
//
//   builtin: { "*": "allow", bash: "ask" }        every built-in tool, bash only after asking
//   mcp: { tracker: { search: "allow" } }         of the server `tracker` the tool `search` alone
//
// `*` stands for the tools not named and is left out when they are off; so is whatever equals it.

import { isEmpty, isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { type ToolsBody, toolPermissions } from '../kinds/tool-permissions.js'
import { limitedTools, normalPolicies, others, withNames } from '../shared/tool-policies.js'
import { objectOf, objectsOf } from '../shared/wire.js'

/** Names of the built-in tools. */
export const builtinTools = ['bash', 'read', 'write', 'edit', 'glob', 'grep', 'web_fetch', 'web_search'] as const

const builtinSet = 'agent_toolset_20260701'

/** Earlier editions of the built-in set; agents made with one keep it until their next update. */
const builtinSets: ReadonlySet<Json | undefined> = new Set([builtinSet, 'agent_toolset_20260401'])

type Toolkit = NonNullable<ToolsBody['mcp']>[number]

/**
 * Permission of a tool. `fallback` means that there is no set for the tool, and the caller decides whether it is on.
 */
export type Policy = 'allow' | 'ask' | 'off' | 'fallback'
export type Policies = Readonly<Record<string, Policy>>

/** Removes entries that equal the policy of the tools not named. */
export function policies(all: Policies): Policies {
  const rest = all[others] ?? 'off'
  const exceptions = Object.entries(all).filter(([name, policy]) => name !== others && policy !== rest)
  return { ...(rest === 'off' ? {} : { [others]: rest }), ...Object.fromEntries(exceptions) }
}

/**
 * Returns declared permissions. Without `tools` every built-in tool may be used; otherwise only the tools that it
 * names.
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
 * Returns the policies of a server: without a toolkit all its tools may be used, with one only those that it enables
 * (agent configuration 2.13).
 */
function toolkitPolicies(toolkit: Toolkit | undefined): Policies {
  if (!toolkit) return { [others]: 'allow' }
  const policy = (isEnabled: boolean | undefined) => (isEnabled ? 'allow' : 'off')
  return policies({
    ...Object.fromEntries((toolkit.configs ?? []).map(({ name, enabled }) => [name, policy(enabled)])),
    [others]: policy(toolkit.default_config?.enabled),
  })
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

interface Setting {
  readonly isEnabled: boolean
  readonly policy: 'allow' | 'ask'
}

/** Value that the server stores for a set without `default_config`. */
const unconfigured: Setting = { isEnabled: true, policy: 'allow' }

/**
 * Returns the policies of a set. `unsaid` is the policy of a set whose default has none; it differs between the kinds
 * of set.
 */
function observedSet({ default_config, configs }: JsonObject, defaultPolicy: Setting['policy']): Policies {
  const rest = isObject(default_config)
    ? settingOf(default_config, { isEnabled: true, policy: defaultPolicy })
    : unconfigured
  const named = Array.isArray(configs) ? configs.filter(isObject) : []
  return policies({
    ...Object.fromEntries(named.map((config) => [String(config['name']), policyOf(settingOf(config, rest))])),
    [others]: policyOf(rest),
  })
}

function settingOf({ enabled, permission_policy }: JsonObject, inherited: Setting): Setting {
  const { type } = objectOf(permission_policy)
  return {
    isEnabled: typeof enabled === 'boolean' ? enabled : inherited.isEnabled,
    policy: type === 'always_ask' ? 'ask' : type === 'always_allow' ? 'allow' : inherited.policy,
  }
}

function policyOf({ isEnabled, policy }: Setting): Policy {
  return isEnabled ? policy : 'off'
}

/**
 * Returns a set with explicit default and exceptions: the values that the server takes for missing ones differ between
 * the kinds of set.
 */
function wireSet(set: JsonObject): JsonObject {
  const { [others]: rest = 'off', ...named } = set
  return {
    default_config: wirePolicy(rest),
    configs: Object.entries(named).map(([name, policy]) => ({ name, ...wirePolicy(policy) })),
  }
}

function wirePolicy(policy: Json | undefined): JsonObject {
  return { enabled: policy !== 'off', permission_policy: { type: policy === 'ask' ? 'always_ask' : 'always_allow' } }
}
