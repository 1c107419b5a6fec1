// Request schemas of emulated deployments.
import { type Static, Type } from 'typebox'
import { Message } from './event-schema.js'
import { Exact, Maybe, Metadata, Variables } from './schema.js'

const OrNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Maybe(Type.Union([schema, Type.Null()]))

/** Accepts an id alone as well, which is refused later with a code of its own. */
const Agent = Type.Union([
  Exact({ id: Type.String({ minLength: 1 }), version: Maybe(Type.Integer({ minimum: 1 })) }),
  Type.String(),
])
const Schedule = Exact({
  type: Type.Literal('cron'),
  expression: Type.String({ pattern: '^\\S+( \\S+){4}$' }),
  timezone: Type.String({ minLength: 1 }),
})
const File = Exact({
  type: Type.Literal('file'),
  file_id: Type.String({ minLength: 1 }),
  mount_path: Type.String({ minLength: 1 }),
})

const Name = Type.String({ minLength: 1, maxLength: 256 })
const Events = Type.Array(Message, { minItems: 1, maxItems: 50 })
const members = {
  description: Maybe(Type.String()),
  environment_id: OrNull(Type.String({ minLength: 1 })),
  schedule: OrNull(Schedule),
  resources: Maybe(Type.Array(File)),
  vault_ids: Maybe(Type.Array(Type.String({ minLength: 1 }))),
  environment_variables: Maybe(Variables),
  metadata: Maybe(Metadata),
}

export const CreateDeployment = Exact({ name: Name, agent: Agent, initial_events: Events, ...members })
export const UpdateDeployment = Exact({
  name: Maybe(Name),
  agent: Maybe(Agent),
  initial_events: Maybe(Events),
  ...members,
})

export type CreateDeployment = Static<typeof CreateDeployment>
export type UpdateDeployment = Static<typeof UpdateDeployment>
