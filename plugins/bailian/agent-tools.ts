// Tools of an agent. The wire has arrays of toolkits with defaults and exceptions; the effective permissions are
// compared by tool name, so that a plan shows the tool that changes instead of two lists.
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

/** Built-in tools of this provider. A rule warns of others, which are not sent. */
export const builtinTools: ReadonlySet<string> = new Set([
  'bash',
  'read',
  'write',
  'edit',
  'glob',
  'grep',
  'download_file',
])

export interface Tools extends JsonObject {
  readonly builtin: Policies
  /** MCP toolkits by server. */
  readonly mcp: Readonly<Record<string, Policies>>
}

export function desiredTools({ tools }: AgentBody): Tools {
  return {
    builtin: tools ? builtinPolicies(tools) : { [others]: 'allow' },
    mcp: Object.fromEntries((tools?.mcp ?? []).map((toolkit) => [toolkit.mcp_server_name, toolkitPolicies(toolkit)])),
  }
}

function builtinPolicies(tools: NonNullable<AgentBody['tools']>): Policies {
  const known = [...toolPermissions(tools, builtinTools)].filter(([name]) => builtinTools.has(name))
  return normalPolicies(Object.fromEntries(known), builtinTools)
}

export function observedTools(wire: Json | undefined): Tools {
  const toolkits = objectsOf(wire)
  const builtin = toolkits.find(({ type }) => type === 'builtin_toolkit')
  const mcp = toolkits.filter(({ type }) => type === 'mcp_toolkit')
  return {
    builtin: builtin ? normalPolicies(effect(builtin), builtinTools) : {},
    mcp: Object.fromEntries(mcp.map((toolkit) => [String(toolkit['mcp_server_name']), effect(toolkit)])),
  }
}

/** Returns the effective permissions of a toolkit, however its default and exceptions are written. */
function effect({ default_config, configs }: JsonObject): Policies {
  const rest = objectOf(default_config)['enabled'] === true ? permissionIn(objectOf(default_config), 'allow') : off
  const named = objectsOf(configs).map((config) => [
    String(config['name']),
    config['enabled'] === false ? off : permissionIn(config, 'allow'),
  ])
  return exceptions({ ...Object.fromEntries(named), [others]: rest })
}

/**
 * Returns the tools of a request. A built-in toolkit without enabled tools is omitted. Tools with limits in
 * `current` are always named, so that there is a place for the limits.
 */
export function wireTools(tools: Json | undefined, current: Json | undefined): readonly JsonObject[] {
  const { builtin, mcp } = objectOf(tools)
  const toolkits = objectsOf(current)
  const limited = limitedTools(toolkits.find(({ type }) => type === 'builtin_toolkit'))
  const isAbsent = isEmpty(builtin) && limited.length === 0
  return [
    ...(isAbsent ? [] : [{ type: 'builtin_toolkit', ...wireToolkit(withNames(objectOf(builtin), limited)) }]),
    ...Object.entries(objectOf(mcp)).map(([mcp_server_name, toolkit]) => {
      const present = toolkits.find((one) => one['mcp_server_name'] === mcp_server_name)
      const named = withNames(objectOf(toolkit), limitedTools(present))
      return { type: 'mcp_toolkit', mcp_server_name, ...wireToolkit(named) }
    }),
  ]
}

function wireToolkit({ [others]: rest = off, ...named }: JsonObject): JsonObject {
  return {
    default_config: settingOf(rest),
    configs: Object.entries(named).map(([name, policy]) => ({ name, ...settingOf(policy) })),
  }
}

/**
 * Returns the compared tools in a form that can be declared, with a toolkit for every server; undefined if they contain
 * a built-in tool that is not known here.
 */
export function declarableTools({ tools, mcp_servers }: Tree): Tree | undefined {
  const { builtin, mcp } = objectOf(tools)
  const isKnown = Object.keys(objectOf(builtin)).every((name) => name === others || builtinTools.has(name))
  const withDefaults = Object.fromEntries(Object.keys(objectOf(mcp_servers)).map((server) => [server, {}]))
  return isKnown ? { builtin, mcp: { ...withDefaults, ...(isObject(mcp) ? mcp : {}) } } : undefined
}
