// Converts permissions of tools between the declaration in agents.yaml and the small maps that toolsets of providers are
// compared as.
//
//   builtin: { "*": "allow" }                  every built-in tool
//   mcp: { tracker: { search: "allow" } }      of the server `tracker` the tool `search` alone
import { isEmpty, isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import { objectOf, objectsOf } from './wire.js'

/** Key for all tools not named; omitted if they are off, as is every tool with the same policy. */
export const others = '*'
export const off = 'off'

export type Policies = Readonly<Record<string, string>>

/**
 * Normalises maps of equal meaning: every known tool by name, or only the entry for all tools if they have the same
 * policy. A list of names in agents.yaml then compares with a default with exceptions on the wire.
 */
export function normalPolicies(policies: Policies, known: Iterable<string>): Policies {
  const names = [...known]
  const { [others]: rest = off, ...named } = policies
  const all = names.map((name) => [name, named[name] ?? rest] as const)
  const unknown = Object.entries(named).filter(([name]) => !names.includes(name))
  const [first = off, ...different] = new Set(all.map(([, policy]) => policy))
  const isOn = ([, policy]: readonly [string, string]) => policy !== off
  if (different.length > 0) return Object.fromEntries([...all, ...unknown].filter(isOn))
  return {
    ...(first === off ? {} : { [others]: first }),
    ...Object.fromEntries(unknown.filter(([, policy]) => policy !== first)),
  }
}

/** Members of a tool's entry that declarations express, or that name it. */
const expressible: ReadonlySet<string> = new Set(['type', 'name', 'enabled', 'permission_policy'])

/** Returns the tools of a toolset that have settings no declaration can express, such as a list of hosts. */
export function limitedTools(toolset: JsonObject | undefined): readonly string[] {
  return objectsOf(toolset?.['configs'])
    .filter((config) => Object.entries(config).some(([name, value]) => !expressible.has(name) && !isEmpty(value)))
    .map(({ name }) => String(name))
}

/** Names tools explicitly, with the policy that they have without being named. */
export function withNames(policies: JsonObject, names: readonly string[]): JsonObject {
  const rest = policies[others] ?? off
  return { ...Object.fromEntries(names.map((name) => [name, rest])), ...policies }
}

export interface DeclaredToolsOptions {
  /** Value in agents.yaml for an MCP tool that may be used. */
  readonly on: string
  /** True if a server without a toolkit offers no tools, so that a toolkit must be declared for every server. */
  readonly saysEveryToolkit?: boolean
}

/** Returns `tools` of an agent; undefined if the defaults apply, null if they cannot be declared. */
export function declaredTools(
  tools: Json | undefined,
  known: Iterable<string>,
  options: DeclaredToolsOptions,
): JsonObject | undefined | null {
  const { builtin, mcp } = objectOf(tools)
  const toolkits = Object.entries(objectOf(mcp)).map(([server, set]) => declaredToolkit(server, objectOf(set), options))
  if (toolkits.includes(null)) return null
  const limited = toolkits.filter((toolkit) => isObject(toolkit))
  const { [others]: rest, ...named } = objectOf(builtin)
  if (rest === 'allow' && Object.keys(named).length === 0 && limited.length === 0) return undefined
  const permissions =
    rest === undefined ? named : { ...Object.fromEntries([...known].map((name) => [name, rest])), ...named }
  const values = Object.values(permissions)
  if (values.some((value) => value !== 'allow' && value !== 'ask')) return null
  const asking = Object.entries(permissions).filter(([, value]) => value === 'ask')
  return {
    builtin: Object.keys(permissions).sort(),
    ...(asking.length === 0
      ? {}
      : asking.length === values.length
        ? { default_permission: 'ask' }
        : { permissions: Object.fromEntries(asking) }),
    ...(limited.length > 0 ? { mcp: limited } : {}),
  }
}

/** Returns a toolkit; undefined if all tools of the server may be used, null if a policy cannot be declared. */
function declaredToolkit(
  server: string,
  set: Tree,
  { on, saysEveryToolkit }: DeclaredToolsOptions,
): JsonObject | undefined | null {
  const { [others]: rest = off, ...named } = set
  const configs = Object.entries(named)
  if ([rest, ...Object.values(named)].some((policy) => policy !== on && policy !== off)) return null
  if (rest === on && configs.length === 0 && !saysEveryToolkit) return undefined
  return {
    type: 'mcp_toolkit',
    mcp_server_name: server,
    ...(rest === on ? { default_config: { enabled: true } } : {}),
    ...(configs.length === 0 ? {} : { configs: configs.map(([name, policy]) => ({ name, enabled: policy === on })) }),
  }
}
