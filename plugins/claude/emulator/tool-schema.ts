// Request schemas of an agent's tools: toolsets with defaults and exceptions, and tools that the client runs.
import { type Static, Type } from 'typebox'
import { exact, id, nullable, optional } from './schema.js'

const Policy = exact({ type: Type.Enum(['always_allow', 'always_ask', 'auto']) })
const setting = { enabled: optional(nullable(Type.Boolean())), permission_policy: optional(nullable(Policy)) }
const Default = optional(nullable(exact(setting)))

export const builtinNames = ['bash', 'edit', 'glob', 'grep', 'read', 'web_fetch', 'web_search', 'write'] as const

const domains = optional(Type.Array(Type.String({ pattern: '^[^:/]+(/.*)?$' }), { minItems: 1, maxItems: 64 }))

const shorthand = ['all', 'none'] as const
const Whole = [Type.Enum([...shorthand]), exact({ type: Type.Enum([...shorthand]) })]
const ToolReference = exact({ type: Type.Literal('tool_reference'), name: id })
const ToolFilter = Type.Union([
  ...Whole,
  exact({ type: Type.Enum(['only', 'except']), tools: Type.Array(ToolReference, { minItems: 1 }) }),
])
const UrlSources = exact({
  client_tool_results: optional(nullable(ToolFilter)),
  server_tool_results: optional(nullable(ToolFilter)),
  user_input: optional(nullable(Type.Union(Whole))),
})
export type UrlSources = Static<typeof UrlSources>

const place = optional(nullable(Type.String()))
const Location = exact({
  type: Type.Literal('approximate'),
  city: place,
  country: place,
  region: place,
  timezone: place,
})

/** Limits of the tools that reach the web. */
const limits = {
  web_fetch: {
    allowed_domains: domains,
    blocked_domains: domains,
    max_content_tokens: optional(nullable(Type.Integer({ minimum: 1 }))),
    url_sources: optional(nullable(UrlSources)),
  },
  web_search: {
    allowed_domains: domains,
    blocked_domains: domains,
    user_location: optional(nullable(Location)),
  },
} as const

const configOf = <Name extends (typeof builtinNames)[number], More extends Parameters<typeof exact>[0]>(
  name: Name,
  more: More,
) => exact({ name: Type.Literal(name), type: optional(Type.Literal(name)), ...setting, ...more })

const plainNames = builtinNames.filter((name) => name !== 'web_fetch' && name !== 'web_search')
const BuiltinConfig = Type.Union([
  configOf('web_fetch', limits.web_fetch),
  configOf('web_search', limits.web_search),
  ...plainNames.map((name) => configOf(name, {})),
])

const BuiltinToolset = exact({
  type: Type.Literal('agent_toolset_20260401'),
  default_config: Default,
  configs: optional(Type.Array(BuiltinConfig)),
})
const toolName = Type.String({ minLength: 1, maxLength: 128 })
const McpToolset = exact({
  type: Type.Literal('mcp_toolset'),
  mcp_server_name: id,
  default_config: Default,
  configs: optional(Type.Array(exact({ name: toolName, ...setting }))),
})
const CustomTool = exact({
  type: Type.Literal('custom'),
  name: Type.String({ pattern: '^[A-Za-z0-9_-]{1,128}$' }),
  description: Type.String(),
  input_schema: Type.Object({ type: Type.Literal('object') }, { additionalProperties: Type.Unknown() }),
})

export const Tool = Type.Union([BuiltinToolset, McpToolset, CustomTool])
export type Tool = Static<typeof Tool>
export type Toolset = Exclude<Tool, { type: 'custom' }>
