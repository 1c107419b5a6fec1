// Schema of an entry of `agents` (agent configuration 2.11-2.15).
import { type Static, Type } from 'typebox'
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
import { delivery, managedToolConfig } from './agent-delivery.js'
import { exampleServer, mcpServer, tools } from './agent-tools.js'
import { budget } from './budget.js'
import { multiagentSchema } from './multiagent.js'
import { gitRepositoryResource, memoryStoreResource } from './resource.js'

const skillReference = Type.Union([
  NameOf('skill'),
  Exact(
    {
      type: OneOf(['official', 'custom'], {
        description: "official: a skill of the provider. custom: one of the account's own that is not declared here.",
      }),
      skill_id: Word({ minLength: 1, description: 'Id of the skill at the provider.' }),
      version: Type.Optional(Word({ minLength: 1, description: 'Version of the skill. Left out: the newest.' })),
    },
    { 'x-meant': { code: 'skill_id', name: 'skill_id' } },
  ),
])

const fileReference = Type.Union([
  NameOf('file'),
  Exact({
    file: NameOf('file', { description: 'A name under files.' }),
    mount_path: Word({
      minLength: 1,
      description: "Where sessions see it; a relative path starts at the provider's mount root.",
      examples: ['handbook.md'],
    }),
  }),
])

const defaultMemoryStore = Exact(
  {
    name: Text({ minLength: 1, maxLength: 255, description: 'Display name of the store.' }),
    description: Type.Optional(Text({ maxLength: 1024, description: 'What the store is for.' })),
    delete_on_destroy: Type.Optional(
      Type.Boolean({
        description: 'Whether destroy deletes the store with all its memories, for good.',
        default: false,
      }),
    ),
  },
  {
    description:
      'Name of the store that the provider creates for the default identity, and what happens to it at the end.',
  },
)

export const agentSchema = Exact(
  {
    name: Type.Optional(
      Text({
        minLength: 1,
        description: 'Display name, which may have variables. Left out: the key.',
        examples: ['lead-${STAGE}'],
      }),
    ),
    description: Type.Optional(Text({ description: 'What the agent is for.' })),
    model: Type.Union(
      [Word({ minLength: 1 }), PerProvider(Word({ minLength: 1, description: 'Model on this provider.' }))],
      {
        description: 'A model, or a map from provider to model.',
        examples: [{ qoder: 'ultimate', claude: 'claude-sonnet-5' }],
      },
    ),
    model_settings: Type.Optional(
      Exact(
        {
          effort: Type.Optional(
            OneOf(['low', 'medium', 'high', 'xhigh', 'max'], {
              description:
                'How hard the model works on each answer. Left out: what the agent has; at first the default of the model.',
              examples: ['high'],
            }),
          ),
          speed: Type.Optional(
            OneOf(['standard', 'fast'], {
              description: 'fast: quicker answers at a higher price, with models that can.',
              default: 'standard',
            }),
          ),
          inference_geo: Type.Optional(
            Word({
              minLength: 1,
              description:
                'Region in which the model runs. Left out: what is set elsewhere, or the default of the workspace.',
              examples: ['eu'],
            }),
          ),
        },
        { description: 'How the model runs.', examples: [{ effort: 'high', inference_geo: 'eu' }] },
      ),
    ),
    instructions: TextOrPath({
      minLength: 1,
      description: 'What the agent is to do: the text itself, or the path of a text file.',
    }),
    environment: Type.Optional(
      NameOf('environment', {
        description:
          'Where sessions of the agent run. Only new sessions use it: the agent itself is not changed by it, except under ' +
          'forward delivery, so that a plan does not show it.',
      }),
    ),
    tunnel: Type.Optional(NameOf('tunnel', { description: 'Tunnel that sessions of the agent use.' })),
    provider: Type.Optional(ProviderName()),
    tools: Type.Optional(tools),
    mcp_servers: Type.Optional(
      Type.Array(mcpServer, {
        description: 'MCP servers the agent may use. tools.mcp switches their tools on.',
        examples: [[exampleServer], [{ name: 'search', type: 'official' }]],
        'x-with': {
          tools: {
            builtin: ['bash'],
            mcp: [
              { type: 'mcp_toolkit', mcp_server_name: 'issues' },
              { type: 'mcp_toolkit', mcp_server_name: 'search' },
            ],
          },
        },
      }),
    ),
    skills: Type.Optional(
      Type.Array(skillReference, { description: 'Skills of the agent: names of declared ones, or ids of others.' }),
    ),
    vault: Type.Optional(NameOf('vault', { description: 'Vault whose credentials sessions of the agent use.' })),
    files: Type.Optional(
      Type.Array(fileReference, {
        description: 'Files that sessions of the agent see: a name, or a name and a path.',
        examples: [['handbook'], [{ file: 'handbook', mount_path: 'docs/handbook.md' }]],
      }),
    ),
    memory_stores: Type.Optional(
      Type.Array(NameOf('memory_store'), { description: 'Memory stores that sessions of the agent use.' }),
    ),
    default_memory_store: Type.Optional(defaultMemoryStore),
    budget: Type.Optional(
      budget(
        'What each session of the agent may cost, and each run of a deployment without a budget of its own. Only new ' +
          'sessions use it: the agent itself is not changed, and a plan notes the change.',
      ),
    ),
    environment_variables: Type.Optional(
      StringMap({ description: 'Environment variables of the sessions. They are no place for secrets.' }),
    ),
    managed_tool_config: Type.Optional(managedToolConfig),
    delivery: Type.Optional(delivery),
    resources: Type.Optional(
      Type.Array(Type.Union([memoryStoreResource, gitRepositoryResource]), {
        description: 'What is attached to every session of the agent.',
      }),
    ),
    multiagent: Type.Optional(multiagentSchema),
    metadata: Type.Optional(StringMap({ description: 'Labels of your own; the provider only stores them.' })),
  },
  { description: 'A managed agent.' },
)

export type AgentBody = Static<typeof agentSchema>
