// Tools of an agent. The wire has arrays of toolkits with defaults and exceptions; the effective permissions are
// compared by tool name, so that a plan shows the tool that changes instead of two lists.
import { isEmpty, isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent-body.js'
import { toolPermissions } from '../kinds/tool-permissions.js'
import { limitedTools, normalPolicies, off, others, type Policies, withNames } from '../shared/tool-policies.js'
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

/** Value for an MCP tool that may be used. */
export const on = 'allow'

const policyOf: Readonly<Record<string, string>> = { allow: 'always_allow', ask: 'always_ask' }
const permissionOf: Readonly<Record<string, string>> = { always_allow: 'allow', always_ask: 'ask' }

export interface Tools extends JsonObject {
  readonly builtin: Policies
  /** MCP toolkits by server. */
  readonly mcp: Readonly<Record<string, Policies>>
}

export function desiredTools({ tools }: AgentBody): Tools {
  return {
    builtin: tools ? builtinPolicies(tools) : { [others]: 'allow' },
    mcp: Object.fromEntries(
      (tools?.mcp ?? []).map(({ mcp_server_name, default_config, configs }) => [
        mcp_server_name,
        effect({ default_config, configs: configs?.map((config) => ({ ...config })) }),
      ]),
    ),
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
  const rest = objectOf(default_config)['enabled'] === true ? policy(objectOf(default_config)) : off
  const found: Record<string, string> = rest === off ? {} : { [others]: rest }
  for (const config of objectsOf(configs)) {
    const own = config['enabled'] === false ? off : policy(config)
    if (own !== rest) found[String(config['name'])] = own
  }
  return found
}

/** Returns the policy; one that cannot be declared is returned unchanged. */
function policy({ permission_policy }: JsonObject): string {
  const { type } = objectOf(permission_policy)
  return typeof type === 'string' ? (permissionOf[type] ?? type) : 'allow'
}

/**
 * Returns the tools of a request. A built-in toolkit without enabled tools is omitted. Policies are sent for built-in
 * tools only, because only those have permissions in agents.yaml. Tools with limits in `current` are always named, so
 * that there is a place for the limits.
 */
export function wireTools(tools: Json | undefined, current: Json | undefined): readonly JsonObject[] {
  const { builtin, mcp } = objectOf(tools)
  const toolkits = objectsOf(current)
  const limited = limitedTools(toolkits.find(({ type }) => type === 'builtin_toolkit'))
  const isAbsent = isEmpty(builtin) && limited.length === 0
  return [
    ...(isAbsent
      ? []
      : [{ type: 'builtin_toolkit', ...wireToolkit(withNames(objectOf(builtin), limited), wirePolicy) }]),
    ...Object.entries(objectOf(mcp)).map(([mcp_server_name, toolkit]) => {
      const present = toolkits.find((one) => one['mcp_server_name'] === mcp_server_name)
      const named = withNames(objectOf(toolkit), limitedTools(present))
      return { type: 'mcp_toolkit', mcp_server_name, ...wireToolkit(named, () => ({})) }
    }),
  ]
}

function wireToolkit(toolkit: Json | undefined, policyMember: (policy: string) => JsonObject): JsonObject {
  const { [others]: rest = off, ...named } = objectOf(toolkit)
  const setting = (value: Json): JsonObject =>
    value === off ? { enabled: false } : { enabled: true, ...policyMember(String(value)) }
  return {
    default_config: setting(rest),
    configs: Object.entries(named).flatMap(([name, value = off]) => [{ name, ...setting(value) }]),
  }
}

function wirePolicy(policy: string): JsonObject {
  return { permission_policy: { type: policyOf[policy] ?? policy } }
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
