// Environments: cloud runtimes that sessions run in (agent configuration 2.5).
import { type Static, Type } from 'typebox'
import { kind } from '../../core/plugin/kind.js'
import type { KindRule } from '../../core/plugin/rule.js'
import { Exact, OneOf, ProviderName, StringMap, Text, Word } from '../../core/plugin/schema.js'

const packageList = (manager: string) =>
  Type.Optional(Type.Array(Word({ minLength: 1 }), { description: `Packages installed with ${manager}.` }))

const networking = Exact(
  {
    type: Type.Optional(
      OneOf(['unrestricted', 'limited'], {
        description:
          'unrestricted: every host. limited: allowed_hosts only. Without it a network is limited as soon as another key is set.',
      }),
    ),
    allow_mcp_servers: Type.Optional(
      Type.Boolean({ description: 'Whether a limited network reaches the MCP servers of the agent.' }),
    ),
    allow_package_managers: Type.Optional(
      Type.Boolean({ description: 'Whether a limited network reaches package registries.' }),
    ),
    allowed_hosts: Type.Optional(
      Type.Array(Word({ minLength: 1 }), {
        description: 'Hosts a limited network may reach.',
        examples: [['api.example.com']],
      }),
    ),
  },
  {
    description: 'What the sandboxes may reach.',
    examples: [{ type: 'limited', allowed_hosts: ['api.example.com'] }, { type: 'unrestricted' }],
  },
)

const config = Exact(
  {
    type: OneOf(['cloud', 'self_hosted'], {
      description: 'Who runs the sandboxes: the provider (cloud) or you (self_hosted).',
    }),
    networking: Type.Optional(networking),
    packages: Type.Optional(
      Exact(
        {
          apt: packageList('apt'),
          pip: packageList('pip'),
          npm: packageList('npm'),
          cargo: packageList('cargo'),
          gem: packageList('gem'),
          go: packageList('go'),
        },
        { description: 'Packages that are installed beforehand, by package manager.' },
      ),
    ),
    setup_script: Type.Optional(
      Text({
        description:
          'Runs while a new sandbox is prepared. Variables are put in as everywhere; write $${NAME} for one of the shell.',
      }),
    ),
  },
  { description: 'How sandboxes are created. Required without environment_id.' },
)

const schema = Exact(
  {
    name: Type.Optional(Text({ minLength: 1, description: 'Display name. Left out: the key.' })),
    description: Type.Optional(Text({ description: 'What the environment is for.' })),
    provider: Type.Optional(ProviderName()),
    environment_id: Type.Optional(
      Word({ minLength: 1, description: 'An existing environment, which is never created, updated or deleted.' }),
    ),
    config: Type.Optional(config),
    metadata: Type.Optional(StringMap({ description: 'Labels of your own; the provider only stores them.' })),
  },
  { description: 'A runtime that sessions run in.' },
)

export type EnvironmentBody = Static<typeof schema>

export type Networking = NonNullable<EnvironmentBody['config']>['networking']

/** True if the network is limited: by its type, or, without a type, because it says what a limited one may reach. */
export function isLimited({ type, ...exceptions }: NonNullable<Networking> = {}): boolean {
  return type === undefined ? Object.keys(exceptions).length > 0 : type === 'limited'
}

const withoutConfig: KindRule<EnvironmentBody> = {
  code: 'environment.config-missing',
  severity: 'error',
  spec: '2.5',
  summary: 'An environment is neither described nor referred to',
  fix: 'Add config: { type: cloud }, or the environment_id of an existing environment.',
  *check({ body }) {
    if (body.config !== undefined || body.environment_id !== undefined) return
    yield { at: [], detail: 'It has neither config nor environment_id.' }
  },
}

/** Reports members of an existing environment that are allowed beside its type but have no effect. */
const ignoredWithId: KindRule<EnvironmentBody> = {
  code: 'environment.ignored-with-id',
  severity: 'warning',
  spec: '2.5',
  summary: 'An existing environment is never changed, so this is ignored',
  fix: 'Remove it, or remove environment_id to have the environment made.',
  *check({ body: { environment_id, provider: _, config = {}, ...rest } }) {
    if (environment_id === undefined) return
    const detail = 'environment_id refers to an environment that somebody else looks after.'
    for (const key of Object.keys(rest)) yield { at: [key], onKey: true, detail }
    for (const key of Object.keys(config)) if (key !== 'type') yield { at: ['config', key], onKey: true, detail }
  },
}

export const environment = kind({
  kind: 'environment',
  section: 'environments',
  summary: 'Runtimes that sessions run in.',
  schema,
  references: () => [],
  external: ({ environment_id }) => environment_id,
  rules: [withoutConfig, ignoredWithId],
})
