// Agents: what everything else is for (agent configuration 2.11-2.15).
import { type Static, Type } from 'typebox'
import { kind, type Reference } from '../../core/plugin/kind.js'
import {
  Exact,
  NameOf,
  OneOf,
  PerProvider,
  ProviderName,
  StringMap,
  Text,
  TextOrPath,
  Word,
} from '../../core/plugin/schema.js'
import { agentRules } from './agent-rules.js'
import { gitRepositoryResource, memoryStoreResource } from './resource.js'

const permission = OneOf(['allow', 'ask'])
const isEnabled = Type.Boolean()

const mcpToolkit = Exact(
  {
    type: OneOf(['mcp_toolkit']),
    mcp_server_name: Word({ minLength: 1, description: 'A server of mcp_servers.' }),
    default_config: Type.Optional(
      Exact({ enabled: Type.Optional(isEnabled) }, { description: 'For tools not named in configs. Default false.' }),
    ),
    configs: Type.Optional(Type.Array(Exact({ name: Word({ minLength: 1 }), enabled: isEnabled }))),
  },
  { 'x-aliases': { mcpServerName: 'mcp_server_name', defaultConfig: 'default_config' } },
)

const tools = Exact({
  builtin: Type.Array(Word({ minLength: 1 }), { description: 'Names of built-in tools, lower case.' }),
  default_permission: Type.Optional(OneOf(['allow', 'ask'], { description: 'Of enabled tools. Default allow.' })),
  permissions: Type.Optional(
    Type.Record(Type.String(), permission, { description: 'Tool name to permission, where it differs.' }),
  ),
  mcp: Type.Optional(Type.Array(mcpToolkit)),
})

const mcpServer = Exact({
  name: Word({ minLength: 1 }),
  type: Type.Optional(OneOf(['url', 'http', 'official'])),
  url: Type.Optional(Text({ minLength: 1 })),
})

const skillReference = Type.Union([
  NameOf('skill'),
  Exact({
    type: OneOf(['official', 'custom']),
    skill_id: Word({ minLength: 1 }),
    version: Type.Optional(Word({ minLength: 1 })),
  }),
])

const fileReference = Type.Union([
  NameOf('file'),
  Exact({
    file: NameOf('file', { description: 'A name under files.' }),
    mount_path: Word({ minLength: 1, description: 'Where sessions see it.' }),
  }),
])

const rosterMember = Type.Union([
  NameOf('agent'),
  Exact({ agent_id: Word({ minLength: 1, description: 'An agent outside this project.' }) }),
])

const defaultMemoryStore = Exact({
  name: Text({ minLength: 1, maxLength: 255 }),
  description: Type.Optional(Text({ maxLength: 1024 })),
  delete_on_destroy: Type.Optional(Type.Boolean({ description: 'Default false: the store is kept.' })),
})

const schema = Exact(
  {
    description: Type.Optional(Text()),
    model: Type.Union([Word({ minLength: 1 }), PerProvider(Word({ minLength: 1 }))], {
      description: 'A model, or a map from provider to model.',
    }),
    instructions: TextOrPath({ minLength: 1, description: 'Text, or the path of a text file.' }),
    environment: Type.Optional(NameOf('environment')),
    tunnel: Type.Optional(NameOf('tunnel')),
    provider: Type.Optional(ProviderName()),
    tools: Type.Optional(tools),
    mcp_servers: Type.Optional(Type.Array(mcpServer)),
    skills: Type.Optional(Type.Array(skillReference)),
    vault: Type.Optional(NameOf('vault')),
    files: Type.Optional(Type.Array(fileReference)),
    memory_stores: Type.Optional(Type.Array(NameOf('memory_store'))),
    default_memory_store: Type.Optional(defaultMemoryStore),
    environment_variables: Type.Optional(StringMap()),
    managed_tool_config: Type.Optional(Exact({ enabled_tools: Type.Array(Word({ minLength: 1 })) })),
    delivery: Type.Optional(PerProvider(Exact({ type: Type.Optional(OneOf(['managed', 'forward'])) }))),
    resources: Type.Optional(Type.Array(Type.Union([memoryStoreResource, gitRepositoryResource]))),
    multiagent: Type.Optional(
      Exact({
        type: Type.Optional(OneOf(['coordinator'])),
        agents: Type.Array(rosterMember, { minItems: 1 }),
      }),
    ),
    metadata: Type.Optional(StringMap()),
  },
  { description: 'A managed agent.' },
)

export type AgentBody = Static<typeof schema>

export const agent = kind({
  kind: 'agent',
  section: 'agents',
  summary: 'The managed agents.',
  schema,
  references,
  rules: agentRules,
})

/** Everything mounted into sessions has role `session`; where a provider stores an id, its handler makes it a value. */
function* sessionReferences(body: AgentBody): Iterable<Reference> {
  const single = { environment: 'environment', tunnel: 'tunnel', vault: 'vault' } as const
  for (const field of ['environment', 'tunnel', 'vault'] as const) {
    const name = body[field]
    if (name !== undefined) yield { at: [field], kind: single[field], name, role: 'session' }
  }
  for (const [index, item] of (body.files ?? []).entries()) {
    if (typeof item === 'string') yield { at: ['files', index], kind: 'file', name: item, role: 'session' }
    else yield { at: ['files', index, 'file'], kind: 'file', name: item.file, role: 'session' }
  }
  for (const [index, name] of (body.memory_stores ?? []).entries())
    yield { at: ['memory_stores', index], kind: 'memory_store', name, role: 'session' }
  for (const [index, item] of (body.resources ?? []).entries()) {
    if (item.type !== 'memory_store') continue
    const at = ['resources', index, 'memory_store']
    yield { at, kind: 'memory_store', name: item.memory_store, role: 'session' }
  }
}

function references(body: AgentBody): readonly Reference[] {
  const found = [...sessionReferences(body)]
  for (const [index, name] of (body.skills ?? []).entries())
    if (typeof name === 'string') found.push({ at: ['skills', index], kind: 'skill', name, role: 'value' })
  for (const [index, name] of (body.multiagent?.agents ?? []).entries()) {
    const at = ['multiagent', 'agents', index]
    if (typeof name === 'string') found.push({ at, kind: 'agent', name, role: 'value' })
  }
  return found
}
