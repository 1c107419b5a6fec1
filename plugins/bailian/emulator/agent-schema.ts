// Request schemas of emulated agents.
import { type Static, Type } from 'typebox'
import { Exact, Maybe, Metadata } from './schema.js'

const builtinTools = ['bash', 'read', 'write', 'edit', 'glob', 'grep', 'download_file']

const idCharactersMax = 64

const Policy = Maybe(Exact({ type: Type.Enum(['always_allow', 'always_ask']) }))
const DefaultConfig = Maybe(Exact({ enabled: Type.Boolean(), permission_policy: Policy }))
const config = { enabled: Type.Boolean(), permission_policy: Policy } as const

const BuiltinToolkit = Exact({
  type: Type.Literal('builtin_toolkit'),
  default_config: DefaultConfig,
  configs: Maybe(Type.Array(Exact({ name: Type.Enum(builtinTools), ...config }))),
})
const McpToolkit = Exact({
  type: Type.Literal('mcp_toolkit'),
  mcp_server_name: Type.String({ minLength: 1 }),
  default_config: DefaultConfig,
  configs: Maybe(Type.Array(Exact({ name: Type.String({ minLength: 1 }), ...config }))),
})

const Model = Exact({
  id: Type.String({ minLength: 1 }),
  enable_thinking: Maybe(Type.Boolean()),
  max_tokens: Maybe(Type.Integer({ minimum: 1 })),
  temperature: Maybe(Type.Number()),
  thinking_budget: Maybe(Type.Integer({ minimum: 0 })),
})

const McpServer = Exact({ type: Type.Enum(['official', 'customer']), name: Type.String({ minLength: 1 }) })

const Skill = Exact({
  type: Type.Enum(['official', 'customer']),
  skill_id: Type.String({ minLength: 1 }),
  version: Type.String({ pattern: '^\\d+(\\.\\d+)*$' }),
})

const Member = Type.Union([
  Exact({
    type: Type.Literal('agent'),
    id: Type.String({ minLength: 1, maxLength: idCharactersMax }),
    version: Maybe(Type.Integer({ minimum: 1 })),
  }),
  Exact({ type: Type.Literal('self') }),
])

const Roster = Exact({ type: Type.Literal('coordinator'), agents: Type.Array(Member, { maxItems: 20 }) })

const members = {
  // Optional, because a missing or empty name has an error code of its own.
  name: Maybe(Type.String()),
  description: Maybe(Type.String()),
  model: Model,
  system: Maybe(Type.String()),
  tools: Maybe(Type.Array(Type.Union([BuiltinToolkit, McpToolkit]))),
  mcp_servers: Maybe(Type.Array(McpServer)),
  skills: Maybe(Type.Array(Skill)),
  multiagent: Maybe(Type.Union([Roster, Type.Null()])),
  metadata: Maybe(Metadata),
}

export const CreateAgent = Exact(members)
export const UpdateAgent = Exact({ version: Type.Integer({ minimum: 1 }), ...members })

export type AgentConfig = Static<typeof CreateAgent>
export type Toolkit = Static<typeof BuiltinToolkit> | Static<typeof McpToolkit>
