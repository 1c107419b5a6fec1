// Request schemas of agents.
import { type Static, Type } from 'typebox'
import { exact, id, Metadata, MetadataPatch, name, nullable, optional, text } from './schema.js'

const Policy = exact({ type: Type.Enum(['always_allow', 'always_ask', 'auto']) })
const Default = exact({ enabled: optional(Type.Boolean()), permission_policy: optional(Policy) })
const setting = { type: optional(text()), enabled: optional(Type.Boolean()), permission_policy: optional(Policy) }

export const builtinNames = ['bash', 'edit', 'glob', 'grep', 'read', 'web_fetch', 'web_search', 'write'] as const

const domains = optional(nullable(Type.Array(text(), { maxItems: 64 })))
const Switches = Type.Record(Type.Enum(['client_tool_results', 'server_tool_results', 'user_input']), Type.Boolean())

/** Limits of the tools that reach the web. */
const limits = {
  web_fetch: {
    allowed_domains: domains,
    blocked_domains: domains,
    max_content_tokens: optional(nullable(Type.Integer({ minimum: 1 }))),
    url_sources: optional(nullable(Switches)),
  },
  web_search: {
    allowed_domains: domains,
    blocked_domains: domains,
    user_location: optional(nullable(Type.Record(Type.String(), Type.Unknown()))),
  },
} as const

const plainNames = builtinNames.filter((name) => name !== 'web_fetch' && name !== 'web_search')
const BuiltinConfig = Type.Union([
  exact({ name: Type.Literal('web_fetch'), ...setting, ...limits.web_fetch }),
  exact({ name: Type.Literal('web_search'), ...setting, ...limits.web_search }),
  exact({ name: Type.Enum(plainNames), ...setting }),
])

const BuiltinToolset = exact({
  type: Type.Literal('agent_toolset_20260401'),
  default_config: optional(Default),
  configs: optional(Type.Array(BuiltinConfig)),
})
const McpToolset = exact({
  type: Type.Literal('mcp_toolset'),
  mcp_server_name: id,
  default_config: optional(Default),
  configs: optional(Type.Array(exact({ name: id, ...setting }))),
})
const CustomTool = exact({
  type: Type.Literal('custom'),
  name: id,
  description: optional(text()),
  input_schema: Type.Record(Type.String(), Type.Unknown()),
})

export const Tool = Type.Union([BuiltinToolset, McpToolset, CustomTool])
export type Tool = Static<typeof Tool>

export const McpServer = exact({
  name: id,
  type: Type.Literal('url'),
  url: Type.String({ minLength: 1, maxLength: 2_047 }),
})

const Model = Type.Union([
  id,
  exact({
    id,
    speed: optional(Type.Enum(['standard', 'fast'])),
    effort: optional(nullable(Type.Union([text(), exact({ type: text() })]))),
    inference_geo: optional(nullable(text())),
  }),
])
export type Model = Static<typeof Model>

export const Skill = exact({
  type: Type.Enum(['anthropic', 'custom']),
  skill_id: id,
  version: optional(nullable(text())),
})
export type Skill = Static<typeof Skill>

export const Member = Type.Union([
  id,
  exact({ type: Type.Literal('agent'), id, version: optional(nullable(Type.Integer({ minimum: 1 }))) }),
  exact({ type: Type.Literal('self') }),
])
export type Member = Static<typeof Member>

const Roster = exact({ type: Type.Literal('coordinator'), agents: Type.Array(Member, { minItems: 1, maxItems: 20 }) })
export type Roster = Static<typeof Roster>

const clearable = {
  description: optional(nullable(Type.String({ maxLength: 2_048 }))),
  system: optional(nullable(Type.String({ maxLength: 100_000 }))),
  tools: optional(nullable(Type.Array(Tool, { maxItems: 256 }))),
  mcp_servers: optional(nullable(Type.Array(McpServer, { maxItems: 20 }))),
  skills: optional(nullable(Type.Array(Skill))),
  multiagent: optional(nullable(Roster)),
} as const

export const CreateAgent = exact({ name, model: Model, ...clearable, metadata: optional(Metadata) })
export type CreateAgent = Static<typeof CreateAgent>

export const UpdateAgent = exact({
  name: optional(name),
  model: optional(Model),
  ...clearable,
  metadata: optional(MetadataPatch),
  version: optional(Type.Integer()),
})
export type UpdateAgent = Static<typeof UpdateAgent>
