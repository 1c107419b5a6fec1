// Tools of an agent. The wire has arrays of toolsets with defaults and exceptions; what is compared is their effect,
// by tool name, so that a plan shows the tool that changes and not two lists.
//
//   builtin: { "*": "allow", bash: "ask" }     every built-in tool, bash only after asking
//   mcp: { tracker: { search: "ask" } }        of the server `tracker` the tool `search` alone, after asking
import { isEmpty, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
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
import { builtinToolset } from './client.js'
import { desiredCustom, desiredLimits, observedCustom, observedLimits, wireCustom, wireLimits } from './tool-limits.js'

export const builtinTools = ['bash', 'edit', 'glob', 'grep', 'read', 'web_fetch', 'web_search', 'write'] as const

const mcpToolset = 'mcp_toolset'

const known: ReadonlySet<string> = new Set(builtinTools)

export function desiredTools({ tools, mcp_servers: servers }: AgentBody): Tree {
  const builtin = tools && [...toolPermissions(tools, builtinTools)].filter(([name]) => known.has(name))
  const toolkits = new Map(tools?.mcp?.map((toolkit) => [toolkit.mcp_server_name, toolkit]))
  return {
    builtin: builtin ? normalPolicies(Object.fromEntries(builtin), builtinTools) : { [others]: 'allow' },
    mcp: Object.fromEntries((servers ?? []).map(({ name }) => [name, toolkitPolicies(toolkits.get(name))])),
    limits: desiredLimits(tools ?? {}),
    custom: desiredCustom(tools ?? {}),
  }
}

export function observedTools(tools: Json | undefined): Tree {
  const sets = objectsOf(tools)
  const builtin = sets.find(({ type }) => type === builtinToolset)
  const mcp = sets.filter(({ type }) => type === mcpToolset)
  return {
    builtin: builtin && normalPolicies(observedSet(builtin, 'allow'), builtinTools),
    mcp: Object.fromEntries(mcp.map((set) => [String(set['mcp_server_name']), observedSet(set, 'ask')])),
    limits: observedLimits(builtin),
    custom: observedCustom(tools),
  }
}

/**
 * Returns the effective permissions of a set, however its default and exceptions are written. `unsaid` is what the
 * service takes for a policy that nobody named.
 */
function observedSet({ default_config, configs }: JsonObject, unsaid: string): Policies {
  const setting = (config: JsonObject) => (config['enabled'] === false ? off : permissionIn(config, unsaid))
  return exceptions({
    ...Object.fromEntries(objectsOf(configs).map((config) => [String(config['name']), setting(config)])),
    [others]: setting(objectOf(default_config)),
  })
}

/**
 * Returns the tools of a request, with a toolset for every MCP server, as the API requires. Tools with limits in
 * `current` are always named, so that there is a place for the limits.
 */
export function wireTools(tools: Json | undefined, current: Json | undefined): readonly JsonObject[] {
  const { builtin, mcp, limits, custom } = objectOf(tools)
  const sets = objectsOf(current)
  const present = sets.find(({ type }) => type === builtinToolset)
  const stated = Object.entries(objectOf(limits)).flatMap(([name, one]) => (isEmpty(one) ? [] : [name]))
  const limited = [...new Set([...stated, ...limitedTools(present)])]
  const servers = Object.entries(objectOf(mcp)).map(([mcp_server_name, set]) => {
    const present = sets.find((one) => one['mcp_server_name'] === mcp_server_name)
    return { type: mcpToolset, mcp_server_name, ...wireSet(withNames(objectOf(set), limitedTools(present))) }
  })
  const isAbsent = isEmpty(builtin) && limited.length === 0
  const set = isAbsent ? [] : [wireBuiltin(withNames(objectOf(builtin), limited), objectOf(limits))]
  return [...set, ...servers, ...wireCustom(custom)]
}

function wireBuiltin(set: JsonObject, limits: JsonObject): JsonObject {
  const isEverything = set[others] === 'allow' && Object.keys(set).length === 1
  return { type: builtinToolset, ...(isEverything ? {} : wireSet(set, limits)) }
}

function wireSet({ [others]: rest = off, ...named }: JsonObject, limits: JsonObject = {}): JsonObject {
  const configs = Object.entries(named).map(([name, policy]) => ({
    name,
    ...settingOf(policy),
    ...wireLimits(limits[name]),
  }))
  return { default_config: settingOf(rest), ...(configs.length > 0 ? { configs } : {}) }
}
