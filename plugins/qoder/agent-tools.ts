// Tools of agents and templates. They are compared by name, `tools/builtin/web_fetch`, and sent as toolsets.
import type { Json, JsonObject, Tree } from '../../core/value/tree.js'
import { isEmpty } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { toolPermissions } from '../kinds/tool-permissions.js'
import { limitedTools } from '../shared/tool-policies.js'
import { objectOf, objectsOf, textOf, textsOf } from '../shared/wire.js'
import { builtinTools, fromWireName, toWireName } from './tool-names.js'

export const builtinToolset = 'agent_toolset_20260401'
export const mcpToolset = 'mcp_toolset'

/** All built-in tools including future ones: the default of an agent without tools. */
const everyTool = 'all'

const policyOfPermission: Readonly<Record<string, string>> = { allow: 'always_allow', ask: 'always_ask' }
const permissionOfPolicy: Readonly<Record<string, string>> = { always_allow: 'allow', always_ask: 'ask' }

export function desiredTools({ tools, mcp_servers: servers }: AgentBody): Tree {
  return {
    builtin: tools === undefined ? everyTool : desiredBuiltin(tools),
    mcp: Object.fromEntries((servers ?? []).map(({ name }) => [name, desiredMcp(tools?.mcp, name)])),
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
    return wireMcp(name, objectOf(tree), limitedTools(present))
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
    default_config: { enabled: true, permission_policy: { type: policyOfPermission['allow'] } },
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
  const type = policyOfPermission[permission] ?? permission
  return { name: toWireName(name), enabled: true, permission_policy: { type } }
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
  const isOpen = defaults['enabled'] === true || (configs.length === 0 && defaults['enabled'] !== false)
  const permissions = new Map<string, string>(isOpen ? builtinTools.map((name) => [name, permissionOf(defaults)]) : [])
  for (const config of configs) {
    const name = fromWireName(textOf(config['name']))
    if (config['enabled'] === false) permissions.delete(name)
    else permissions.set(name, permissionOf(config, defaults))
  }
  for (const name of forbidden) permissions.delete(name)
  const isEverything = builtinTools.every((name) => permissions.get(name) === 'allow')
  return isOpen && isEverything ? everyTool : Object.fromEntries(permissions)
}

function permissionOf(config: JsonObject, defaults: JsonObject = {}): string {
  const policy = textOf(objectOf(config['permission_policy'] ?? defaults['permission_policy'])['type'])
  return policy === '' ? 'allow' : (permissionOfPolicy[policy] ?? policy)
}

type Toolkits = NonNullable<AgentBody['tools']>['mcp']

/**
 * Returns the tools of a server: without a toolkit all of them, with one those that it names (agent configuration
 * 2.13).
 */
function desiredMcp(toolkits: Toolkits, server: string): Tree {
  const toolkit = toolkits?.find(({ mcp_server_name: name }) => name === server)
  if (!toolkit) return { enabled: true }
  const configs = (toolkit.configs ?? []).map(({ name, enabled }) => [name, enabled] as const)
  return mcpTree(toolkit.default_config?.enabled ?? false, configs)
}

function observedMcp(entry: JsonObject): Tree {
  const configs = objectsOf(entry['configs']).map(
    (config) => [textOf(config['name']), config['enabled'] !== false] as const,
  )
  return mcpTree(objectOf(entry['default_config'])['enabled'] !== false, configs)
}

/** Returns the tree without tools that equal the default: responses may name every tool of the server. */
function mcpTree(isEnabled: boolean, configs: readonly (readonly [string, boolean])[]): Tree {
  return { enabled: isEnabled, configs: Object.fromEntries(configs.filter(([, enabled]) => enabled !== isEnabled)) }
}

function wireMcp(server: string, tree: Tree, limited: readonly string[]): JsonObject {
  const rest = tree['enabled'] === true
  const switches = { ...Object.fromEntries(limited.map((name) => [name, rest])), ...objectOf(tree['configs']) }
  const configs = Object.entries(switches).map(([name, enabled]) => ({ name, enabled }))
  return {
    type: mcpToolset,
    mcp_server_name: server,
    default_config: { enabled: rest },
    ...(configs.length > 0 ? { configs } : {}),
  }
}
