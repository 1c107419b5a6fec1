// Converts permissions of tools between the declaration in agents.yaml and the small maps that toolsets of providers are
// compared as.
//
//   builtin: { "*": "allow" }                  every built-in tool
//   mcp: { tracker: { search: "allow" } }      of the server `tracker` the tool `search` alone
import { isEmpty, isObject, type Json, type JsonObject, type Tree } from '../../core/value/tree.js'
import type { ToolsBody } from '../kinds/tool-permissions.js'
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

const policyOf: Readonly<Record<string, string>> = { allow: 'always_allow', ask: 'always_ask' }
const permissionOf: Readonly<Record<string, string>> = { always_allow: 'allow', always_ask: 'ask' }

/** Returns the permission of a tool or of a default on the wire, `unsaid` if it names none. Unknown ones are kept. */
export function permissionIn({ permission_policy }: JsonObject, unsaid: string): string {
  const { type } = objectOf(permission_policy)
  return typeof type === 'string' ? (permissionOf[type] ?? type) : unsaid
}

/** Returns a tool's members on the wire. The policy is always named, because each service takes another one for none. */
export function settingOf(policy: Json | undefined): JsonObject {
  if (policy === off) return { enabled: false }
  const permission = String(policy)
  return { enabled: true, permission_policy: { type: policyOf[permission] ?? permission } }
}

/** Removes entries that equal the policy of the tools not named. */
export function exceptions({ [others]: rest = off, ...named }: Policies): Policies {
  const different = Object.entries(named).filter(([, policy]) => policy !== rest)
  return { ...(rest === off ? {} : { [others]: rest }), ...Object.fromEntries(different) }
}

/**
 * Returns the policies of an MCP server, the same on every provider: without a toolkit all its tools may be used, with
 * one those that it enables (agent configuration 2.13), without asking unless a permission is given.
 */
export function toolkitPolicies(toolkit: Toolkit | undefined): Policies {
  if (!toolkit) return { [others]: 'allow' }
  const { enabled, permission: usual = 'allow' } = toolkit.default_config ?? {}
  const named = (toolkit.configs ?? []).map(({ name, enabled, permission = usual }) => [
    name,
    enabled ? permission : off,
  ])
  return exceptions({ ...Object.fromEntries(named), [others]: enabled ? usual : off })
}

export type Toolkit = NonNullable<ToolsBody['mcp']>[number]

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
  if (!values.every(isPermission)) return null
  const notAllowed = Object.entries(permissions).filter(([, value]) => value !== 'allow')
  const [first] = values
  return {
    builtin: Object.keys(permissions).sort(),
    ...(notAllowed.length === 0
      ? {}
      : values.every((value) => value === first)
        ? { default_permission: first }
        : { permissions: Object.fromEntries(notAllowed) }),
    ...(limited.length > 0 ? { mcp: limited } : {}),
  }
}

/** Returns a toolkit; undefined if all tools of the server may be used, null if a policy cannot be declared. */
export function declaredToolkit(
  server: string,
  set: Tree,
  { saysEveryToolkit }: DeclaredToolsOptions = {},
): JsonObject | undefined | null {
  const { [others]: rest = off, ...named } = set
  const configs = Object.entries(named)
  if (![rest, ...Object.values(named)].every((policy) => policy === off || isPermission(policy))) return null
  if (rest === 'allow' && configs.length === 0 && !saysEveryToolkit) return undefined
  const usual = rest === off ? 'allow' : rest
  const setting = (policy: Json | undefined, unsaid: Json) =>
    policy === off ? { enabled: false } : { enabled: true, ...(policy === unsaid ? {} : { permission: policy }) }
  return {
    type: 'mcp_toolkit',
    mcp_server_name: server,
    ...(rest === off ? {} : { default_config: setting(rest, 'allow') }),
    ...(configs.length === 0
      ? {}
      : { configs: configs.map(([name, policy]) => ({ name, ...setting(policy, usual) })) }),
  }
}

function isPermission(policy: Json | undefined): boolean {
  return policy === 'allow' || policy === 'ask' || policy === 'auto'
}
