// Request schemas of agents.
import { type Static, Type } from 'typebox'
import { Topology } from './roster.js'
import { exact, id, Metadata, MetadataPatch, name, nullable, optional, text } from './schema.js'
import { Tool } from './tool-schema.js'

export const McpServer = exact({
  name,
  type: Type.Literal('url'),
  url: Type.String({ minLength: 1, maxLength: 2_047 }),
})

const levels = Type.Enum(['low', 'medium', 'high', 'xhigh', 'max'])
export const Model = Type.Union([
  id,
  exact({
    id,
    speed: optional(nullable(Type.Enum(['standard', 'fast']))),
    effort: optional(nullable(Type.Union([levels, exact({ type: levels })]))),
    inference_geo: optional(nullable(id)),
  }),
])
export type Model = Static<typeof Model>

export const Skill = exact({
  type: Type.Enum(['anthropic', 'custom']),
  skill_id: id,
  version: optional(nullable(text())),
})
export type Skill = Static<typeof Skill>

const Identity = Type.Union([
  exact({ type: Type.Literal('service_account') }),
  exact({ type: Type.Literal('aws_role'), role_arn: Type.String({ minLength: 1, maxLength: 2_048 }) }),
])

const clearable = {
  description: optional(nullable(Type.String({ maxLength: 2_048 }))),
  system: optional(nullable(Type.String({ maxLength: 100_000 }))),
  tools: optional(nullable(Type.Array(Tool, { maxItems: 256 }))),
  mcp_servers: optional(nullable(Type.Array(McpServer, { maxItems: 20 }))),
  skills: optional(nullable(Type.Array(Skill))),
  multiagent: optional(nullable(Topology)),
  execution_identity: optional(nullable(Identity)),
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
