// Schemas of requests for sessions.
import { type Static, Type } from 'typebox'
import { pageQuery } from './objects.js'
import { Exact, Maybe } from './schema.js'

const Id = Type.String({ minLength: 1 })

const FileResource = Exact({
  type: Type.Literal('file'),
  file_id: Id,
  mount_path: Maybe(Type.String({ minLength: 1 })),
})
const MemoryStoreResource = Exact({
  type: Type.Literal('memory_store'),
  memory_store_id: Id,
  access: Maybe(Type.Enum(['read_only', 'read_write'])),
  instructions: Maybe(Type.String({ maxLength: 4096 })),
})
const TosResource = Exact({
  type: Type.Literal('tos'),
  tos_bucket: Id,
  tos_key: Id,
  tos_region: Maybe(Type.String()),
})
export const Resource = Type.Union([FileResource, MemoryStoreResource, TosResource])
export type Resource = Static<typeof Resource>

/** Schema of a resource that is added to an existing session: only files can be. */
export const AddedResource = FileResource

const Tags = Type.Array(Exact({ key: Type.String({ minLength: 1 }), value: Maybe(Type.String()) }))

export const CreateSession = Exact({
  agent: Type.Union([Id, Exact({ type: Type.Literal('agent'), id: Id, version: Maybe(Type.Integer()) })]),
  environment_id: Id,
  title: Maybe(Type.String()),
  tags: Maybe(Tags),
  vault_ids: Maybe(Type.Array(Id)),
  /** Member that requests may contain, and responses never do. */
  metadata: Maybe(Type.Record(Type.String(), Type.String())),
  resources: Maybe(Type.Array(Resource)),
})
export type CreateSession = Static<typeof CreateSession>

export const UpdateSession = Exact({ title: Maybe(Type.String()), tags: Maybe(Tags) })

export const UpgradeSession = Exact({
  agent: Exact({ type: Type.Literal('agent_with_upgrades'), id: Id, version: Type.Integer() }),
})

const Moment = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T' }))

export const SessionListQuery = Exact({
  ...pageQuery,
  agent_id: Type.Optional(Id),
  agent_version: Type.Optional(Type.String({ pattern: '^[0-9]+$' })),
  memory_store_id: Type.Optional(Id),
  status: Type.Optional(Type.Enum(['idle', 'running', 'rescheduling', 'terminated'])),
  order: Type.Optional(Type.Enum(['asc', 'desc'])),
  created_at_gt: Moment,
  created_at_gte: Moment,
  created_at_lt: Moment,
  created_at_lte: Moment,
})
export type SessionListQuery = Static<typeof SessionListQuery>
