// Tools of agents and templates. They are compared by name, `tools/builtin/web_fetch`, and sent as toolsets.
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import { isEmpty } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { toolPermissions } from '../kinds/tool-permissions.js'
import {
  exceptions,
  limitedTools,
  off,
  others,
  type Policies,
  permissionIn,
  settingOf,
  toolkitPolicies,
  withNames,
} from '../shared/tool-policies.js'
import { objectOf, objectsOf, textOf, textsOf } from '../shared/wire.js'
import { builtinTools, fromWireName, toWireName } from './tool-names.js'

export const builtinToolset = 'agent_toolset_20260401'
export const mcpToolset = 'mcp_toolset'

/** All built-in tools including future ones: the default of an agent without tools. */
const everyTool = 'all'

export function desiredTools({ tools, mcp_servers: servers }: AgentBody): Tree {
  const toolkits = new Map(tools?.mcp?.map((toolkit) => [toolkit.mcp_server_name, toolkit]))
  return {
    builtin: tools === undefined ? everyTool : desiredBuiltin(tools),
    mcp: Object.fromEntries((servers ?? []).map(({ name }) => [name, toolkitPolicies(toolkits.get(name))])),
  }
}

export function observedTools(tools: Json | undefined): Tree {
  const entries = objectsOf(tools)
  const toolset = entries.find(({ type }) => type === builtinToolset)
  const servers = entries.filter(({ type }) => type === mcpToolset)
  return {
    builtin: toolset && observedBuiltin(toolset),
    mcp: Object.fromEntries(servers.map((entry) => [textOf(entry['mcp_server_name']), observedMcp(entry)])),
  }
}

/**
 * Returns the tools of a request. Tools with limits in `current` are always named, so that there is a place for the
 * limits.
 */
export function wireTools(tools: Tree, current: Json | undefined): readonly JsonObject[] {
  const { builtin } = tools
  const sets = objectsOf(current)
  const servers = Object.entries(objectOf(tools['mcp'])).map(([name, tree]) => {
    const present = sets.find(({ mcp_server_name }) => mcp_server_name === name)
    return wireMcp(name, withNames(objectOf(tree), limitedTools(present)))
  })
  const present = sets.find(({ type }) => type === builtinToolset)
  const limited = limitedTools(present).map(fromWireName)
  if (isEmpty(builtin) && limited.length === 0) return servers
  const isResolved = present?.['default_config'] !== undefined
  const set =
    builtin === everyTool ? wireEveryTool(limited, isResolved) : wireBuiltin(objectOf(builtin), limited, isResolved)
  return [{ type: builtinToolset, ...set }, ...servers]
}

function wireEveryTool(limited: readonly string[], isResolved: boolean): JsonObject {
  if (limited.length === 0 && !isResolved) return {}
  return {
    default_config: settingOf('allow'),
    configs: limited.map((name) => toolConfig(name, 'allow')),
  }
}

/** Returns permissions by tool. Names are in the API's spelling, so that `Web-Fetch` and `web_fetch` are one tool. */
function desiredBuiltin(tools: NonNullable<AgentBody['tools']>): JsonObject {
  const permissions = [...toolPermissions(tools, builtinTools)]
  return Object.fromEntries(permissions.map(([name, permission]) => [fromWireName(toWireName(name)), permission]))
}

/** Returns the tools by name; a default that the server resolved is replaced, so that it cannot switch on others. */
function wireBuiltin(builtin: JsonObject, limited: readonly string[], isResolved: boolean): JsonObject {
  const configs = Object.entries(builtin).map(([name, permission]) => toolConfig(name, textOf(permission)))
  const switchedOff = limited
    .filter((name) => builtin[name] === undefined)
    .map((name) => ({ name: toWireName(name), enabled: false }))
  return { ...(isResolved ? { default_config: { enabled: false } } : {}), configs: [...configs, ...switchedOff] }
}

function toolConfig(name: string, permission: string): JsonObject {
  return { name: toWireName(name), ...settingOf(permission) }
}

/**
 * Reads toolsets, either as they were sent or resolved by the server, with defaults and an entry for every tool. A list
 * without defaults contains the allowed tools.
 */
function observedBuiltin(toolset: JsonObject): Json {
  const listed = textsOf(toolset['enabled_tools'])
  if (listed.length > 0) return Object.fromEntries(listed.map((name) => [fromWireName(name), 'allow']))
  const forbidden = new Set(textsOf(toolset['disallowed_tools']).map(fromWireName))
  const configs = objectsOf(toolset['configs'])
  const defaults = objectOf(toolset['default_config'])
  const usual = permissionIn(defaults, 'allow')
  const isOpen = defaults['enabled'] === true || (configs.length === 0 && defaults['enabled'] !== false)
  const permissions = new Map<string, string>(isOpen ? builtinTools.map((name) => [name, usual]) : [])
  for (const config of configs) {
    const name = fromWireName(textOf(config['name']))
    if (config['enabled'] === false) permissions.delete(name)
    else permissions.set(name, permissionIn(config, usual))
  }
  for (const name of forbidden) permissions.delete(name)
  const isEverything = builtinTools.every((name) => permissions.get(name) === 'allow')
  return isOpen && isEverything ? everyTool : Object.fromEntries(permissions)
}

function observedMcp({ default_config, configs }: JsonObject): Policies {
  const defaults = objectOf(default_config)
  const usual = permissionIn(defaults, 'allow')
  const setting = (config: JsonObject) => (config['enabled'] === false ? off : permissionIn(config, usual))
  return exceptions({
    ...Object.fromEntries(objectsOf(configs).map((config) => [textOf(config['name']), setting(config)])),
    [others]: setting(defaults),
  })
}

function wireMcp(server: string, { [others]: rest = off, ...named }: JsonObject): JsonObject {
  const configs = Object.entries(named).map(([name, policy]) => ({ name, ...settingOf(policy) }))
  return {
    type: mcpToolset,
    mcp_server_name: server,
    default_config: settingOf(rest),
    ...(configs.length > 0 ? { configs } : {}),
  }
}
