// Deployments: repeatable runs of an agent (agent configuration 2.16).
import { type Static, Type } from 'typebox'
import { kind, type Reference } from '../../core/plugin/kind.js'
import { Exact, NameOf, ProviderName, StringMap, Text, Word } from '../../core/plugin/schema.js'
import { deploymentRules } from './deployment-rules.js'
import { fileResource, gitRepositoryResource, memoryStoreResource } from './resource.js'

const content = Type.Union([
  Text({ minLength: 1 }),
  Type.Array(Exact({ type: Type.Literal('text'), text: Text({ minLength: 1 }) }), { minItems: 1 }),
])

const initialEvent = Type.Union([
  Exact({ type: Type.Literal('user.message'), content }),
  Exact({ type: Type.Literal('system.message'), content }),
  Exact({
    type: Type.Literal('user.define_outcome'),
    description: Type.Optional(Text()),
    rubric: Type.Optional(
      Type.Union([
        Text({ minLength: 1 }),
        Exact({ type: Type.Literal('text'), content: Text({ minLength: 1 }) }),
        Exact({ type: Type.Literal('file'), file_id: Word({ minLength: 1 }) }),
      ]),
    ),
    rubric_file: Type.Optional(
      Type.String({ minLength: 1, description: 'A local text file with the rubric.', 'x-path': 'file' }),
    ),
    max_iterations: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
  }),
])

const schema = Exact(
  {
    agent: NameOf('agent'),
    agent_version: Type.Optional(Type.Integer({ minimum: 1, description: 'Default: the newest.' })),
    environment: Type.Optional(NameOf('environment')),
    tunnel: Type.Optional(NameOf('tunnel')),
    vaults: Type.Optional(Type.Array(NameOf('vault'))),
    memory_stores: Type.Optional(Type.Array(NameOf('memory_store'))),
    resources: Type.Optional(Type.Array(Type.Union([fileResource, memoryStoreResource, gitRepositoryResource]))),
    environment_variables: Type.Optional(StringMap()),
    initial_events: Type.Array(initialEvent, { minItems: 1, maxItems: 50 }),
    schedule: Type.Optional(
      Exact({
        expression: Word({ minLength: 1, description: 'Cron with five fields: minute hour day month weekday.' }),
        timezone: Word({ minLength: 1, description: 'IANA time zone, such as Europe/Berlin.' }),
      }),
    ),
    description: Type.Optional(Text()),
    provider: Type.Optional(ProviderName()),
    metadata: Type.Optional(StringMap()),
  },
  { description: 'A repeatable run of an agent.' },
)

export type DeploymentBody = Static<typeof schema>

export const deployment = kind({
  kind: 'deployment',
  section: 'deployments',
  summary: 'Repeatable run units.',
  schema,
  references,
  rules: deploymentRules,
})

function references(body: DeploymentBody): readonly Reference[] {
  const found: Reference[] = [{ at: ['agent'], kind: 'agent', name: body.agent, role: 'value' }]
  const { environment, tunnel } = body
  if (environment !== undefined)
    found.push({ at: ['environment'], kind: 'environment', name: environment, role: 'value' })
  if (tunnel !== undefined) found.push({ at: ['tunnel'], kind: 'tunnel', name: tunnel, role: 'session' })
  for (const [index, name] of (body.vaults ?? []).entries())
    found.push({ at: ['vaults', index], kind: 'vault', name, role: 'value' })
  for (const [index, name] of (body.memory_stores ?? []).entries())
    found.push({ at: ['memory_stores', index], kind: 'memory_store', name, role: 'value' })
  for (const [index, item] of (body.resources ?? []).entries()) {
    if (item.type !== 'memory_store') continue
    const at = ['resources', index, 'memory_store']
    found.push({ at, kind: 'memory_store', name: item.memory_store, role: 'value' })
  }
  return found
}
