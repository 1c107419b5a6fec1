// Permissions of built-in tools (agent configuration 2.11). Names are compared regardless of case and separators, and
// each enabled tool has exactly one permission.
import type { AgentBody } from './agent-body.js'

export type Permission = 'allow' | 'ask' | 'auto'
export type ToolsBody = NonNullable<AgentBody['tools']>

/** Returns the normalised name, which is equal for spellings of the same tool: `web_fetch`, `WebFetch`, `web-fetch`. */
export function normalToolName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, '').toLowerCase()
}

/**
 * Returns every enabled built-in tool with its permission, in the order of `tools.builtin`. Names are spelled as in
 * `known`; names that it lacks are returned as written.
 */
export function toolPermissions(tools: ToolsBody, known: Iterable<string> = []): ReadonlyMap<string, Permission> {
  const spelling = new Map([...known].map((name) => [normalToolName(name), name]))
  const overrides = new Map(
    Object.entries(tools.permissions ?? {}).map(([name, permission]) => [normalToolName(name), permission]),
  )
  return new Map(
    tools.builtin.map((name) => {
      const normal = normalToolName(name)
      return [spelling.get(normal) ?? name, overrides.get(normal) ?? tools.default_permission ?? 'allow']
    }),
  )
}

/** Yields the permissions that a declaration states, of built-in tools and of MCP servers, with their paths in the body. */
export function* statedPermissions(
  tools: ToolsBody | undefined,
): Iterable<{ readonly at: readonly (string | number)[]; readonly permission: Permission }> {
  if (tools?.default_permission) yield { at: ['tools', 'default_permission'], permission: tools.default_permission }
  for (const [name, permission] of Object.entries(tools?.permissions ?? {}))
    yield { at: ['tools', 'permissions', name], permission }
  for (const [index, { default_config, configs }] of (tools?.mcp ?? []).entries()) {
    const at = ['tools', 'mcp', index]
    if (default_config?.permission)
      yield { at: [...at, 'default_config', 'permission'], permission: default_config.permission }
    for (const [tool, { permission }] of (configs ?? []).entries())
      if (permission) yield { at: [...at, 'configs', tool, 'permission'], permission }
  }
}

/** Yields declared tools that a provider lacks, with their indexes in `tools.builtin`. */
export function unknownTools(
  tools: ToolsBody | undefined,
  known: Iterable<string>,
): readonly { readonly index: number; readonly name: string }[] {
  const names = new Set([...known].map(normalToolName))
  return (tools?.builtin ?? [])
    .map((name, index) => ({ index, name }))
    .filter(({ name }) => !names.has(normalToolName(name)))
}
