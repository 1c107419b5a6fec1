// Schemas of requests for agents. Tools are grouped in sets; the name of a single tool is not accepted as a type.
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { Exact, Maybe, Metadata } from './schema.js'

const PermissionPolicy = Exact({ type: Type.Enum(['always_allow', 'always_ask']) })
const setting = { enabled: Maybe(Type.Boolean()), permission_policy: Maybe(PermissionPolicy) }
const DefaultConfig = Exact(setting)
const builtinTools = ['bash', 'read', 'write', 'edit', 'glob', 'grep', 'web_fetch', 'web_search'] as const

const BuiltinSet = Exact({
  type: Type.Enum(['agent_toolset_20260701', 'agent_toolset_20260401']),
  default_config: Maybe(DefaultConfig),
  configs: Maybe(Type.Array(Exact({ name: Type.Enum([...builtinTools]), ...setting }))),
})
const McpSet = Exact({
  type: Type.Literal('mcp_toolset'),
  mcp_server_name: Type.String({ minLength: 1 }),
  default_config: Maybe(DefaultConfig),
  configs: Maybe(Type.Array(Exact({ name: Type.String({ minLength: 1 }), ...setting }))),
})
const CustomTool = Exact({
  type: Type.Literal('custom'),
  name: Type.String({ minLength: 1 }),
  description: Maybe(Type.String()),
  /** JSON schema as text. */
  input_schema: Type.String(),
})
const Evolution = Type.Unsafe<JsonObject & { readonly type: 'evolution' }>(
  Type.Object({ type: Type.Literal('evolution') }),
)
export const Tool = Type.Union([BuiltinSet, McpSet, CustomTool, Evolution])
export type Tool = Static<typeof Tool>

const McpServer = Exact({
  name: Type.String({ minLength: 1 }),
  type: Type.Literal('url'),
  url: Type.String({ pattern: '^https?://' }),
})

const Skill = Exact({
  type: Type.Enum(['custom', 'skill_hub', 'anthropic']),
  skill_id: Type.String({ minLength: 1 }),
  version: Maybe(Type.String()),
})

export const Member = Type.Union([
  Exact({ type: Type.Literal('agent'), id: Type.String({ minLength: 1 }), version: Maybe(Type.Integer()) }),
  Exact({ type: Type.Literal('self') }),
])
export type Member = Static<typeof Member>

const Roster = Exact({
  type: Type.Literal('coordinator'),
  agents: Type.Array(Member, { minItems: 1, maxItems: 20 }),
})

const Name = Type.String({ minLength: 1, maxLength: 256 })
const Model = Exact({ id: Type.String({ minLength: 1 }), speed: Maybe(Type.Enum(['standard', 'fast'])) })

const rest = {
  description: Maybe(Type.String({ maxLength: 2048 })),
  system: Maybe(Type.String({ maxLength: 100_000 })),
  tools: Maybe(Type.Array(Tool)),
  mcp_servers: Maybe(Type.Array(McpServer, { maxItems: 20 })),
  skills: Maybe(Type.Array(Skill, { maxItems: 50 })),
  multiagent: Maybe(Roster),
  metadata: Maybe(Metadata),
  tags: Maybe(Type.Array(Exact({ key: Type.String({ minLength: 1 }), value: Maybe(Type.String()) }))),
}

export const CreateAgent = Exact({ name: Name, model: Model, ...rest })
export type CreateAgent = Static<typeof CreateAgent>

/** Schema of an update, which names the version it is based on. */
export const UpdateAgent = Exact({ version: Type.Integer(), name: Maybe(Name), model: Maybe(Model), ...rest })
export type UpdateAgent = Static<typeof UpdateAgent>
