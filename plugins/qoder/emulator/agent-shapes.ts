// Members that agents and templates share on the wire, and the form in which the service returns them.
import { Type } from 'typebox'
import { AnyJson } from '../../../core/plugin/schema.js'
import { isObject, type Json, type JsonObject } from '../../../core/value/tree.js'
import { refuse } from '../../emulator/contract.js'
import { type Context, exact, requireNamed } from './object.js'

export const builtinToolset = 'agent_toolset_20260401'
const mcpToolset = 'mcp_toolset'
const builtinTools = ['Bash', 'Read', 'Write', 'Edit', 'Glob', 'Grep', 'WebFetch', 'WebSearch']

/** Schema of a member that `null` clears, like its empty value. */
const orNull = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

const Policy = Type.Object({ type: Type.Enum(['always_allow', 'always_ask']) }, exact)
const DefaultConfig = Type.Object(
  { enabled: Type.Optional(Type.Boolean()), permission_policy: Type.Optional(Policy) },
  exact,
)
const configs = (name: ReturnType<typeof Type.String>) =>
  Type.Array(
    Type.Object({ name, enabled: Type.Optional(Type.Boolean()), permission_policy: Type.Optional(Policy) }, exact),
  )
const BuiltinName = Type.String({ pattern: '^[A-Z][A-Za-z0-9]*$' })

const Tool = Type.Union([
  Type.Object(
    {
      type: Type.Literal(builtinToolset),
      default_config: Type.Optional(DefaultConfig),
      configs: Type.Optional(configs(BuiltinName)),
      enabled_tools: Type.Optional(Type.Array(BuiltinName)),
      disallowed_tools: Type.Optional(Type.Array(BuiltinName)),
    },
    exact,
  ),
  Type.Object(
    {
      type: Type.Literal(mcpToolset),
      mcp_server_name: Type.String({ minLength: 1 }),
      default_config: Type.Optional(DefaultConfig),
      configs: Type.Optional(configs(Type.String({ minLength: 1 }))),
    },
    exact,
  ),
  Type.Object(
    {
      type: Type.Literal('custom'),
      name: Type.String({ minLength: 1 }),
      description: Type.String(),
      input_schema: AnyJson(),
    },
    exact,
  ),
])

const McpServer = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    type: Type.Optional(Type.Enum(['http', 'url'])),
    url: Type.String({ minLength: 1 }),
  },
  exact,
)

const Skill = Type.Object(
  {
    type: Type.Enum(['custom', 'qoder']),
    skill_id: Type.String({ minLength: 1 }),
    version: Type.Optional(Type.String({ minLength: 1 })),
    enabled: Type.Optional(Type.Boolean()),
  },
  exact,
)

export const Name = Type.String({ minLength: 1, maxLength: 256 })

export const Model = Type.Union([
  Type.String({ minLength: 1 }),
  Type.Object(
    {
      id: Type.String({ minLength: 1 }),
      effort: Type.Optional(Type.String()),
      context_window: Type.Optional(Type.Integer({ minimum: 1 })),
    },
    exact,
  ),
])

/** Optional members that creates and updates share. */
export const sharedMembers = {
  description: orNull(Type.String({ maxLength: 2048 })),
  system: orNull(Type.String({ maxLength: 100_000 })),
  tools: orNull(Type.Array(Tool, { maxItems: 128 })),
  mcp_servers: orNull(Type.Array(McpServer, { maxItems: 20 })),
  skills: orNull(Type.Array(Skill, { maxItems: 20 })),
}

const emptyOf = { description: '', system: '', tools: [], mcp_servers: [], skills: [] } as const

/** Returns the shared members of a request as responses show them. */
export function normalShared(request: JsonObject): JsonObject {
  const normal: Record<string, Json> = {}
  for (const [member, empty] of Object.entries(emptyOf)) {
    const value = request[member]
    if (value !== undefined) normal[member] = value ?? empty
  }
  const { tools } = normal
  return Array.isArray(tools) ? { ...normal, tools: tools.map(normalTool) } : normal
}

export function emptyShared(): JsonObject {
  return { ...emptyOf }
}

/** Checks the whole object, after whatever request. */
export function checkShared(context: Context, skillCollection: string, body: JsonObject): void {
  const servers = objects(body['mcp_servers']).map(({ name }) => String(name))
  if (new Set(servers).size < servers.length)
    throw refuse('invalid', 'mcp_servers: names must be unique', { param: 'mcp_servers' })
  for (const tool of objects(body['tools'])) {
    if (tool['type'] !== mcpToolset || servers.includes(String(tool['mcp_server_name']))) continue
    throw refuse('invalid', `tools: no MCP server is named ${tool['mcp_server_name']}`, { param: 'tools' })
  }
  for (const skill of objects(body['skills']))
    if (skill['type'] === 'custom') requireNamed(context, [skillCollection], String(skill['skill_id']), 'skills')
}

export function hasBuiltinToolset(body: JsonObject): boolean {
  return objects(body['tools']).some(({ type }) => type === builtinToolset)
}

/** Resolves a toolset without any entry. */
export function normalTool(tool: Json): Json {
  if (!isObject(tool) || tool['type'] === 'custom') return tool
  if (tool['enabled_tools'] !== undefined || tool['disallowed_tools'] !== undefined) return tool
  const lines = objects(tool['configs']).map(normalConfig)
  if (tool['type'] === mcpToolset)
    return { ...tool, default_config: normalConfig(objectOf(tool['default_config'])), configs: lines }
  if (tool['configs'] !== undefined) return { ...tool, configs: lines }
  const all = builtinTools.map((name) => normalConfig({ name }))
  return { ...tool, default_config: normalConfig(objectOf(tool['default_config'])), configs: all }
}

function normalConfig(config: JsonObject): JsonObject {
  return { enabled: true, permission_policy: { type: 'always_allow' }, ...config }
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {}
}

function objects(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
