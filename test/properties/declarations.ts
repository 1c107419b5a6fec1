// Random valid projects on all four providers: resources of every kind that refer to each other, some pinned, with variables.
import fc from 'fast-check'
import type { Version } from '../../core/conformance/subject.js'
import type { JsonObject } from '../../core/value/tree.js'
import { deskOf, deskParts } from './desk.js'

export const providers = ['bailian', 'qoder', 'claude', 'ark'] as const
export type ProviderName = (typeof providers)[number]

/** Unlikely words, so that any occurrence is a leak. */
export const variables = {
  KEY_A: 'key-a-7f3d91',
  KEY_B: 'key-b-2c80e4',
  NOTE: 'note-55d0aa',
  WORKSPACE: 'ws-1',
} as const
export const secrets = [variables.KEY_A, variables.KEY_B, variables.NOTE, 'rotated-9b1c77'] as const

/** Id of an existing environment outside the project. */
export const outsideId = 'env_outside'

const models = {
  bailian: 'qwen3.7-plus',
  qoder: 'auto',
  claude: 'claude-sonnet-4-5',
  ark: 'doubao-seed-2-1-pro-260628',
}

const pin = fc.option(fc.constantFrom(...providers), { nil: undefined, freq: 3 })
const anyText = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  // Control characters are refused, and a dollar would begin a variable.
  .map((text) => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029$]/gu, '').trim())
const text = fc.oneof(anyText, fc.constantFrom('with ${NOTE} inside', 'quotes " and \\ and : #', 'two\nlines'))
const optional = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined })
const metadata = optional(
  fc.dictionary(fc.constantFrom('team', 'purpose', 'owner'), fc.constantFrom('one', 'two', '${NOTE}'), { maxKeys: 2 }),
)
const someOf = <Item>(...items: readonly Item[]) => fc.subarray([...items])

const environment = fc.record({
  provider: pin,
  description: optional(text),
  packages: fc.record({ npm: someOf('prettier', 'eslint'), pip: someOf('ruff', 'black') }),
  metadata,
})
const vault = fc.record({
  provider: pin,
  display_name: optional(anyText.filter((name) => name !== '')),
  secrets: fc.dictionary(fc.constantFrom('ALPHA', 'BETA', 'GAMMA'), fc.constantFrom('${KEY_A}', '${KEY_B}'), {
    maxKeys: 3,
  }),
  metadata,
})
const file = fc.record({ provider: pin, content: fc.constantFrom('first', 'second', 'third') })
const skill = fc.record({ provider: pin, content: fc.constantFrom('one way', 'another way') })
const store = fc.record({
  provider: pin,
  description: optional(text),
  mode: optional(fc.constantFrom('initialize', 'sync')),
  entries: fc.dictionary(fc.constantFrom('first.md', 'deep/second.md'), fc.constantFrom('one', 'two'), { maxKeys: 2 }),
  metadata,
})
const agent = fc.record({
  provider: pin,
  description: optional(text),
  instructions: text.map((found) => `Do this: ${found}`),
  environment: optional(fc.nat()),
  vault: optional(fc.nat()),
  store: optional(fc.nat()),
  skills: fc.array(fc.nat(), { maxLength: 2 }),
  tools: fc.option(someOf('read', 'bash', 'grep'), { nil: undefined }),
  metadata,
})

const lead = fc.record({
  provider: pin,
  instructions: text.map((found) => `Share this: ${found}`),
  members: fc.array(fc.nat(), { minLength: 1, maxLength: 2 }),
})
const deployment = fc.record({
  provider: pin,
  agent: fc.nat(),
  environment: fc.nat(),
  vault: optional(fc.nat()),
  message: text.map((found) => `Now: ${found}`),
  hour: optional(fc.integer({ min: 0, max: 23 })),
  hasFile: fc.boolean(),
  variables: optional(fc.constantFrom({ SCOPE: 'main' }, { SCOPE: 'side', TOKEN: '${KEY_B}' })),
})

/** Names are from a small pool, so that they recur in the next version. */
const named = <Body>(body: fc.Arbitrary<Body>, ...names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), body, { maxKeys: names.length, noNullPrototype: true })

const parts = fc.record({
  environments: named(environment, 'workshop', 'attic'),
  vaults: named(vault, 'keys', 'spare.keys'),
  files: named(file, 'handbook', 'map'),
  skills: named(skill, 'review', 'notes'),
  agents: named(agent, 'reviewer', 'writer', 'helper'),
  memory_stores: named(store, 'findings', 'policies'),
  leads: named(lead, 'lead'),
  deployments: named(deployment, 'nightly', 'weekly'),
  desk: deskParts,
  rotated: fc.boolean(),
})
type Parts = typeof parts extends fc.Arbitrary<infer Found> ? Found : never

export const anyVersion: fc.Arbitrary<Version> = parts.map(versionOf)

function versionOf(declared: Parts): Version {
  const files: Record<string, string> = { 'files/topics.csv': 'topic\ntests\n' }
  const { desk } = declared
  const front = deskOf(desk)
  const body = {
    version: '1',
    providers: {
      bailian: { api_key: '${KEY_A}', workspace_id: '${WORKSPACE}' },
      qoder: { api_key: '${KEY_A}' },
      claude: { api_key: '${KEY_A}' },
      ark: { api_key: '${KEY_A}' },
    },
    defaults: { provider: 'all', ...front.defaults },
    environments: {
      ...mapped(declared.environments, ({ packages, ...rest }) => ({ ...rest, config: { type: 'cloud', packages } })),
      // External references are never removed: that is an error until they are released (agent configuration 2.5).
      outside: { provider: 'claude', environment_id: outsideId },
      ...front.environments,
    },
    tunnels: { office: { provider: 'qoder', tunnel_id: 'tnl_emulator' } },
    memory_stores: { ...mapped(declared.memory_stores, storeOf), ...front.memory_stores },
    vaults: mapped(declared.vaults, ({ secrets: current, ...rest }) => ({
      ...rest,
      credentials: Object.entries(current).map(([name, secret_value]) => ({
        name: name.toLowerCase(),
        type: 'environment_variable',
        secret_name: name,
        secret_value,
      })),
    })),
    files: mapped(declared.files, ({ provider, content }, name) => {
      files[`files/${name}.md`] = `${content}\n`
      return { provider, source: `./files/${name}.md` }
    }),
    skills: mapped(declared.skills, ({ provider, content }, name) => {
      files[`skills/${name}/SKILL.md`] = `---\nname: ${name}\ndescription: How to do it\n---\n${content}\n`
      return { provider, source: `./skills/${name}` }
    }),
    agents: {
      ...mapped(declared.agents, (one) => agentOf(one, declared)),
      ...mapped(declared.leads, (one) => leadOf(one, declared)),
      ...front.agents,
    },
    identities: front.identities,
    channels: front.channels,
    deployments: mapped(declared.deployments, (one) => deploymentOf(one, declared)),
  }
  return {
    text: JSON.stringify(body),
    files,
    ...(declared.rotated ? { variables: { KEY_B: 'rotated-9b1c77' } } : {}),
  }
}

/** Picks a resource that exists on every target provider of a declaration with this pin. */
function pickerFor(provider: ProviderName | undefined) {
  return (
    found: Readonly<Record<string, { readonly provider: ProviderName | undefined }>>,
    index: number | undefined,
  ): string | undefined => {
    const names = Object.keys(found).filter((name) => [undefined, provider].includes(found[name]?.provider))
    return index === undefined || names.length === 0 ? undefined : names[index % names.length]
  }
}

function storeOf({ mode, entries, ...rest }: Parts['memory_stores'][string]): JsonObject {
  return { ...rest, entries_mode: mode, entries: Object.entries(entries).map(([key, content]) => ({ key, content })) }
}

/** Undefined where no agent can be a member. */
function leadOf({ provider, instructions, members }: Parts['leads'][string], declared: Parts): JsonObject | undefined {
  const pick = pickerFor(provider)
  const agents = [...new Set(members.flatMap((index) => pick(declared.agents, index) ?? []))]
  if (agents.length === 0) return undefined
  return { provider, instructions, model: models, multiagent: { type: 'coordinator', agents } }
}

/** Undefined if no agent or no environment has the same providers. */
function deploymentOf(one: Parts['deployments'][string], declared: Parts): JsonObject | undefined {
  const { provider, message, hour, hasFile, variables: current } = one
  const pick = pickerFor(provider)
  const [agent, environment, vault] = [
    pick(declared.agents, one.agent),
    pick(declared.environments, one.environment),
    pick(declared.vaults, one.vault),
  ]
  if (agent === undefined || environment === undefined) return undefined
  const canSchedule = provider !== undefined && provider !== 'ark'
  const takesVariables = provider === 'bailian' || provider === 'qoder'
  return {
    provider,
    agent,
    environment,
    vaults: vault === undefined ? [] : [vault],
    initial_events: [{ type: 'user.message', content: message }],
    ...(hasFile ? { resources: [{ type: 'file', source: './files/topics.csv', mount_path: 'in/topics.csv' }] } : {}),
    ...(canSchedule && hour !== undefined ? { schedule: { expression: `0 ${hour} * * *`, timezone: 'UTC' } } : {}),
    ...(takesVariables && current ? { environment_variables: current } : {}),
  }
}

function agentOf(one: Parts['agents'][string], declared: Parts): JsonObject {
  const { provider, description, instructions, tools, metadata: current } = one
  const pick = pickerFor(provider)
  const skills = new Set(one.skills.flatMap((index) => pick(declared.skills, index) ?? []))
  return {
    provider,
    description,
    instructions,
    model: models,
    environment: pick(declared.environments, one.environment),
    vault: pick(declared.vaults, one.vault),
    skills: [...skills],
    // Deployments of Bailian do not accept agents with these members.
    ...(provider === undefined || provider === 'bailian'
      ? {}
      : { memory_stores: [pick(declared.memory_stores, one.store) ?? []].flat() }),
    ...(tools ? { tools: { builtin: tools } } : {}),
    metadata: current,
  }
}

function mapped<Item, Result>(
  items: Readonly<Record<string, Item>>,
  change: (item: Item, name: string) => Result | undefined,
): Record<string, Result> {
  return Object.fromEntries(
    Object.entries(items).flatMap(([name, item]) => {
      const changed = change(item, name)
      return changed === undefined ? [] : [[name, changed] as const]
    }),
  )
}
