// Requests with every member and every variant that the types of the official client allow. A new member or variant of a
// later client is missing here, which the type checker says.

import type Anthropic from '@anthropic-ai/sdk'
import type { BetaManagedAgentsURLMCPServerParams } from '@anthropic-ai/sdk/resources/beta/agents/agents'

type Beta = Anthropic.Beta
export type Agents = Beta['agents']
type Params<Method extends (...given: never[]) => unknown, Index extends number> = NonNullable<
  Parameters<Method>[Index]
>

/** The members of a body without those that are headers. */
type Body<Given> = Omit<Given, 'betas' | 'workspace_id'>
/** Every member, also those that may be left out. */
type Whole<Given> = Required<Body<Given>>
/** One sample for each variant of a union, by its `type`. */
type Variants<Union extends { type?: string | undefined }> = {
  readonly [Type in NonNullable<Union['type']>]: Required<Extract<Union, { type?: Type }>>
}
const all = <Sample>(variants: Readonly<Record<string, Sample>>): Sample[] => Object.values(variants)

export type AgentCreate = Params<Agents['create'], 0>
export type AgentUpdate = Params<Agents['update'], 1>
type Tool = NonNullable<AgentCreate['tools']>[number]
type Toolset<Type> = Extract<Tool, { type: Type }>
type BuiltinConfig = NonNullable<Toolset<'agent_toolset_20260401'>['configs']>[number]
type Config<Name> = Required<Extract<BuiltinConfig, { name: Name }>>
type Policy = NonNullable<BuiltinConfig['permission_policy']>

export const policies = {
  always_allow: { type: 'always_allow' },
  always_ask: { type: 'always_ask' },
  auto: { type: 'auto' },
} satisfies Variants<Policy>

const setting = { enabled: true, permission_policy: policies.auto }
const sources = {
  client_tool_results: { type: 'only', tools: [{ type: 'tool_reference', name: 'pay' }] },
  server_tool_results: { type: 'except', tools: [{ type: 'tool_reference', name: 'web_search' }] },
  user_input: 'all',
} satisfies Required<NonNullable<Config<'web_fetch'>['url_sources']>>
const location = {
  type: 'approximate',
  city: 'Berlin',
  country: 'DE',
  region: 'Berlin',
  timezone: 'Europe/Berlin',
} satisfies Required<NonNullable<Config<'web_search'>['user_location']>>

const builtinConfigs = {
  bash: { type: 'bash', name: 'bash', ...setting },
  edit: { type: 'edit', name: 'edit', ...setting },
  glob: { type: 'glob', name: 'glob', ...setting },
  grep: { type: 'grep', name: 'grep', ...setting },
  read: { type: 'read', name: 'read', ...setting },
  write: { type: 'write', name: 'write', ...setting },
  web_fetch: {
    type: 'web_fetch',
    name: 'web_fetch',
    ...setting,
    allowed_domains: ['docs.example.com'],
    max_content_tokens: 1000,
    url_sources: sources,
  },
  web_search: {
    type: 'web_search',
    name: 'web_search',
    ...setting,
    blocked_domains: ['ads.example.com'],
    user_location: location,
  },
} satisfies {
  // The two lists of domains exclude each other.
  readonly [Name in BuiltinConfig['name']]: Partial<Config<Name>> &
    Omit<Config<Name>, 'allowed_domains' | 'blocked_domains'>
}

export const server: Required<BetaManagedAgentsURLMCPServerParams> = {
  name: 'issues',
  type: 'url',
  url: 'https://mcp.example.com',
}

const tools = {
  agent_toolset_20260401: {
    type: 'agent_toolset_20260401',
    default_config: { enabled: false, permission_policy: policies.always_ask },
    configs: all<BuiltinConfig>(builtinConfigs),
  },
  mcp_toolset: {
    type: 'mcp_toolset',
    mcp_server_name: server.name,
    default_config: { enabled: true, permission_policy: policies.always_allow },
    configs: [{ name: 'search', enabled: true, permission_policy: policies.always_ask }],
  },
  custom: {
    type: 'custom',
    name: 'pay',
    description: 'Pays a bill.',
    input_schema: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] },
  },
} satisfies Variants<Tool>

type Model = Exclude<AgentCreate['model'], string>
const model = { id: 'claude-opus-5', effort: 'high', speed: 'fast', inference_geo: 'eu' } satisfies Required<Model>
type Effort = Extract<NonNullable<Model['effort']>, object>
const efforts = {
  low: { type: 'low' },
  medium: { type: 'medium' },
  high: { type: 'high' },
  xhigh: { type: 'xhigh' },
  max: { type: 'max' },
} satisfies Variants<Effort>

type Topology = NonNullable<AgentCreate['multiagent']>
const topologies = (memberId: string) =>
  ({
    coordinator: {
      type: 'coordinator',
      agents: [
        { type: 'agent', id: memberId, version: 1 },
        { type: 'self' },
        { type: 'advisor', model: 'claude-opus-5' },
      ],
    },
    multiagent_20261001: {
      type: 'multiagent_20261001',
      advisor: { type: 'enabled', model: 'claude-opus-5' },
      subagents: {
        type: 'enabled',
        inline_agents: { type: 'disabled' },
        predefined_agents: [memberId, { type: 'self' }],
      },
      workflows: { type: 'disabled' },
    },
  }) satisfies Variants<Topology>

type Identity = NonNullable<AgentCreate['execution_identity']>
const identities = {
  service_account: { type: 'service_account' },
  aws_role: { type: 'aws_role', role_arn: 'arn:aws:iam::123456789012:role/runner' },
} satisfies Variants<Identity>

type Skill = NonNullable<AgentCreate['skills']>[number]

/** An agent with every member, and others that differ in one variant. */
export function agents(memberId: string, skillId: string, skillVersion: string): AgentCreate[] {
  const skills = {
    anthropic: { type: 'anthropic', skill_id: 'pdf', version: 'latest' },
    custom: { type: 'custom', skill_id: skillId, version: skillVersion },
  } satisfies Variants<Skill>
  const multiagent = topologies(memberId)
  const whole: Whole<AgentCreate> = {
    name: 'reviewer',
    model,
    description: 'Reviews.',
    execution_identity: identities.aws_role,
    mcp_servers: [server],
    metadata: { team: 'data' },
    multiagent: multiagent.coordinator,
    skills: all<Skill>(skills),
    system: 'Review.',
    tools: all<Tool>(tools),
  }
  return [
    whole,
    { name: 'plain', model: 'claude-opus-5' },
    ...all(efforts).map((effort) => ({ ...whole, model: { id: 'claude-opus-5', effort } })),
    ...all<Topology>(multiagent).map((one) => ({ ...whole, multiagent: one })),
    ...all<Identity>(identities).map((execution_identity) => ({ ...whole, execution_identity })),
  ]
}

export const agentUpdate = (memberId: string, version: number): Whole<AgentUpdate> => ({
  name: 'reviewer',
  version,
  model,
  description: null,
  execution_identity: null,
  mcp_servers: [server],
  metadata: { team: null, other: 'x' },
  multiagent: topologies(memberId).multiagent_20261001,
  skills: null,
  system: null,
  tools: all<Tool>(tools),
})

type EnvironmentCreate = Params<Beta['environments']['create'], 0>
type EnvironmentConfig = NonNullable<EnvironmentCreate['config']>
type Network = NonNullable<Extract<EnvironmentConfig, { type: 'cloud' }>['networking']>
const networks = {
  unrestricted: { type: 'unrestricted' },
  limited: { type: 'limited', allow_mcp_servers: true, allow_package_managers: true, allowed_hosts: ['a.example'] },
} satisfies Variants<Network>

export const environments: EnvironmentCreate[] = [
  ...all<Network>(networks).map((networking) => ({
    name: 'dev',
    description: 'Where it runs',
    metadata: { team: 'data' },
    scope: 'organization' as const,
    config: {
      type: 'cloud' as const,
      networking,
      packages: { apt: ['git'], cargo: [], gem: [], go: [], npm: [], pip: ['requests'] },
    },
  })),
  { name: 'own', config: { type: 'self_hosted' } satisfies Variants<EnvironmentConfig>['self_hosted'] },
]

type CredentialCreate = Params<Beta['vaults']['credentials']['create'], 1>
export type Auth = CredentialCreate['auth']
type Refresh = NonNullable<Extract<Auth, { type: 'mcp_oauth' }>['refresh']>
const clients = {
  none: { type: 'none' },
  client_secret_basic: { type: 'client_secret_basic', client_secret: 's' },
  client_secret_post: { type: 'client_secret_post', client_secret: 's' },
} satisfies Variants<Refresh['token_endpoint_auth']>
const auths = {
  static_bearer: { type: 'static_bearer', mcp_server_url: 'https://a.example/mcp', token: 't' },
  environment_variable: {
    type: 'environment_variable',
    secret_name: 'TOKEN',
    secret_value: 'v',
    networking: { type: 'limited', allowed_hosts: ['a.example'] },
    injection_location: { header: true, body: true },
  },
  mcp_oauth: {
    type: 'mcp_oauth',
    mcp_server_url: 'https://b.example/mcp',
    access_token: 'a',
    expires_at: '2027-01-01T00:00:00Z',
    refresh: {
      client_id: 'c',
      refresh_token: 'r',
      token_endpoint: 'https://b.example/token',
      token_endpoint_auth: clients.none,
      resource: 'https://b.example',
      scope: 'read',
    } satisfies Required<Refresh>,
  },
} satisfies Variants<Auth>
export const credentials: Whole<CredentialCreate>[] = [
  ...all<Auth>(auths),
  ...all(clients).map((token_endpoint_auth, index) => ({
    ...auths.mcp_oauth,
    mcp_server_url: `https://c${index}.example/mcp`,
    refresh: { ...auths.mcp_oauth.refresh, token_endpoint_auth },
  })),
].map((auth) => ({ auth, display_name: 'one', metadata: { team: 'data' } }))

type CredentialUpdate = Params<Beta['vaults']['credentials']['update'], 1>
export const credentialUpdates = {
  static_bearer: { type: 'static_bearer', token: 'n' },
  environment_variable: {
    type: 'environment_variable',
    secret_value: 'n',
    networking: { type: 'unrestricted' },
    injection_location: { header: true, body: false },
  },
  mcp_oauth: { type: 'mcp_oauth', access_token: 'n', expires_at: null, refresh: { refresh_token: 'n', scope: '' } },
} satisfies { readonly [Type in Auth['type']]: Extract<NonNullable<CredentialUpdate['auth']>, { type: Type }> }

type SessionCreate = Params<Beta['sessions']['create'], 0>
export type Resource = NonNullable<SessionCreate['resources']>[number]
export const resources = (fileId: string, storeId: string) =>
  ({
    file: { type: 'file', file_id: fileId, mount_path: '/workspace/a.csv' },
    github_repository: {
      type: 'github_repository',
      url: 'https://github.com/acme/shop',
      authorization_token: 't',
      checkout: { type: 'commit', sha: 'a'.repeat(40) },
      mount_path: '/workspace/shop',
    },
    memory_store: { type: 'memory_store', memory_store_id: storeId, access: 'read_only', instructions: 'Read it.' },
  }) satisfies Variants<Resource>

export const budget: Required<NonNullable<SessionCreate['budget']>> = {
  type: 'limit',
  max_list_cost: { amount: '2500', currency: 'USD' },
}

type DeploymentCreate = Params<Beta['deployments']['create'], 0>
type StartEvent = DeploymentCreate['initial_events'][number]
const startEvents = {
  'user.message': { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
  'user.define_outcome': {
    type: 'user.define_outcome',
    description: 'A report',
    rubric: { type: 'text', content: 'It has a summary.' },
    max_iterations: 3,
  },
  'system.message': { type: 'system.message', content: [{ type: 'text', text: 'Be brief.' }] },
} satisfies Variants<StartEvent>

export interface Made {
  readonly agentId: string
  readonly environmentId: string
  readonly vaultId: string
  readonly mounts: readonly Resource[]
}

export const deployment = ({ agentId, environmentId, vaultId, mounts }: Made): Whole<DeploymentCreate> => ({
  name: 'nightly',
  agent: { type: 'agent', id: agentId, version: 1 },
  environment_id: environmentId,
  initial_events: all<StartEvent>(startEvents),
  budget,
  description: 'Runs at night',
  metadata: { team: 'data' },
  resources: [...mounts],
  schedule: { type: 'cron', expression: '0 2 * * *', timezone: 'Europe/Berlin' },
  vault_ids: [vaultId],
})

export const deploymentUpdate: Whole<
  Omit<Params<Beta['deployments']['update'], 1>, 'agent' | 'environment_id' | 'initial_events'>
> = {
  name: 'nightly',
  budget: null,
  description: null,
  metadata: { team: null },
  resources: null,
  schedule: null,
  vault_ids: null,
}

type SessionAgent = Exclude<SessionCreate['agent'], string>
export const sessions = ({ agentId, environmentId, vaultId, mounts }: Made): Whole<SessionCreate>[] => {
  const references = {
    agent: { type: 'agent', id: agentId, version: 1 },
    agent_with_overrides: {
      type: 'agent_with_overrides',
      id: agentId,
      version: 1,
      model,
      system: 'Be brief.',
      skills: [{ type: 'anthropic', skill_id: 'pdf' }],
      mcp_servers: [server],
      tools: all<Tool>(tools),
    },
  } satisfies Variants<SessionAgent>
  return [agentId, ...all<SessionAgent>(references)].map((agent) => ({
    agent,
    environment_id: environmentId,
    title: 'Once',
    budget,
    metadata: { team: 'data' },
    initial_events: [startEvents['user.message'], startEvents['user.define_outcome']],
    resources: [...mounts],
    vault_ids: [vaultId],
  }))
}
