// Tools of an agent. The wire has arrays of toolkits with defaults and exceptions; what is compared is their effect,
// by tool name, so that a plan shows the tool that changes and not two lists.
import { isEmpty, isObject, type Json, type JsonObject } from '../../core/value/tree.js'
import type { AgentBody } from '../kinds/agent.js'
import { toolPermissions } from '../shared/tool-permissions.js'

/** The built-in tools this provider has. A rule warns of others, which are not sent. */
export const builtinTools: ReadonlySet<string> = new Set([
  'bash',
  'read',
  'write',
  'edit',
  'glob',
  'grep',
  'download_file',
])

const policyOf = { allow: 'always_allow', ask: 'always_ask' } as const

/** Every tool without an entry of its own. */
const everyOther = '*'
const disabled = 'disabled'

/** Tool name to policy; a tool that is not there is disabled. */
type Toolkit = Readonly<Record<string, string>>

export interface Tools extends JsonObject {
  readonly builtin: Toolkit
  /** By server. */
  readonly mcp: Readonly<Record<string, Toolkit>>
}

export function desiredTools({ tools }: AgentBody): Tools {
  return {
    builtin: tools ? builtinToolkit(tools) : { [everyOther]: policyOf.allow },
    mcp: Object.fromEntries(
      (tools?.mcp ?? []).map(({ mcp_server_name, default_config, configs }) => [
        mcp_server_name,
        effect({ default_config, configs: configs?.map((config) => ({ ...config })) }),
      ]),
    ),
  }
}

function builtinToolkit(tools: NonNullable<AgentBody['tools']>): Toolkit {
  const known = [...toolPermissions(tools, builtinTools)].filter(([name]) => builtinTools.has(name))
  return Object.fromEntries(known.map(([name, permission]) => [name, policyOf[permission]]))
}

export function observedTools(wire: Json | undefined): Tools {
  const toolkits = (Array.isArray(wire) ? wire : []).filter(isObject)
  const builtin = toolkits.find(({ type }) => type === 'builtin_toolkit')
  const mcp = toolkits.filter(({ type }) => type === 'mcp_toolkit')
  return {
    builtin: builtin ? effect(builtin) : {},
    mcp: Object.fromEntries(mcp.map((toolkit) => [String(toolkit['mcp_server_name']), effect(toolkit)])),
  }
}

/** What a toolkit amounts to, however its default and its exceptions are written. */
function effect({ default_config, configs }: JsonObject): Toolkit {
  const others = isObject(default_config) && default_config['enabled'] === true ? policy(default_config) : disabled
  const found: Record<string, string> = others === disabled ? {} : { [everyOther]: others }
  for (const config of Array.isArray(configs) ? configs.filter(isObject) : []) {
    const own = config['enabled'] === false ? disabled : policy(config)
    if (own !== others) found[String(config['name'])] = own
  }
  return found
}

function policy({ permission_policy }: JsonObject): string {
  return isObject(permission_policy) ? String(permission_policy['type']) : policyOf.allow
}

/**
 * As the API wants it. A built-in toolkit in which nothing is enabled is left out. Policies are sent for built-in tools
 * alone, because only those have permissions in agents.yaml.
 */
export function wireTools(tools: Json | undefined): readonly JsonObject[] {
  const { builtin, mcp } = isObject(tools) ? tools : {}
  return [
    ...(isEmpty(builtin) ? [] : [{ type: 'builtin_toolkit', ...wireToolkit(builtin, wirePolicy) }]),
    ...Object.entries(isObject(mcp) ? mcp : {}).map(([mcp_server_name, toolkit]) => ({
      type: 'mcp_toolkit',
      mcp_server_name,
      ...wireToolkit(toolkit, () => ({})),
    })),
  ]
}

function wireToolkit(toolkit: Json | undefined, policyMember: (type: string) => JsonObject): JsonObject {
  const { [everyOther]: others, ...named } = isObject(toolkit) ? toolkit : {}
  return {
    default_config: { enabled: others !== undefined },
    configs: Object.entries(named).map(([name, own]) =>
      own === disabled ? { name, enabled: false } : { name, enabled: true, ...policyMember(String(own)) },
    ),
  }
}

function wirePolicy(type: string): JsonObject {
  return { permission_policy: { type } }
}
