// Random projects on all four providers: environments, vaults, stores, files, skills and agents that refer to each
// other, some pinned, with variables inside. Everything that is made here is valid.
import fc from 'fast-check'
import type { Version } from '../../core/plugin/conformance/subject.js'
import type { JsonObject } from '../../core/value/tree.js'

export const providers = ['bailian', 'qoder', 'claude', 'ark'] as const
export type ProviderName = (typeof providers)[number]

/** Unlikely words, so that finding one anywhere means that it leaked. */
export const variables = {
  KEY_A: 'key-a-7f3d91',
  KEY_B: 'key-b-2c80e4',
  NOTE: 'note-55d0aa',
  WORKSPACE: 'ws-1',
} as const
export const secrets = [variables.KEY_A, variables.KEY_B, variables.NOTE, 'rotated-9b1c77'] as const

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
const agent = fc.record({
  provider: pin,
  description: optional(text),
  instructions: text.map((found) => `Do this: ${found}`),
  environment: optional(fc.nat()),
  vault: optional(fc.nat()),
  skills: fc.array(fc.nat(), { maxLength: 2 }),
  tools: fc.option(someOf('read', 'bash', 'grep'), { nil: undefined }),
  metadata,
})

/** Names come from a small pool, so that the same ones meet again in the next version. */
const named = <Body>(body: fc.Arbitrary<Body>, ...names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), body, { maxKeys: names.length, noNullPrototype: true })

const parts = fc.record({
  environments: named(environment, 'workshop', 'attic'),
  vaults: named(vault, 'keys', 'spare.keys'),
  files: named(file, 'handbook', 'map'),
  skills: named(skill, 'review', 'notes'),
  agents: named(agent, 'reviewer', 'writer', 'helper'),
  rotated: fc.boolean(),
})
type Parts = typeof parts extends fc.Arbitrary<infer Found> ? Found : never

export const anyVersion: fc.Arbitrary<Version> = parts.map(versionOf)

function versionOf(declared: Parts): Version {
  const files: Record<string, string> = {}
  const body = {
    version: '1',
    providers: {
      bailian: { api_key: '${KEY_A}', workspace_id: '${WORKSPACE}' },
      qoder: { api_key: '${KEY_A}' },
      claude: { api_key: '${KEY_A}' },
      ark: { api_key: '${KEY_A}' },
    },
    defaults: { provider: 'all' },
    environments: mapped(declared.environments, ({ packages, ...rest }) => ({
      ...rest,
      config: { type: 'cloud', packages },
    })),
    vaults: mapped(declared.vaults, ({ secrets: held, ...rest }) => ({
      ...rest,
      credentials: Object.entries(held).map(([name, secret_value]) => ({
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
    agents: mapped(declared.agents, (one) => agentOf(one, declared)),
  }
  return {
    text: JSON.stringify(body),
    files,
    ...(declared.rotated ? { variables: { KEY_B: 'rotated-9b1c77' } } : {}),
  }
}

function agentOf(one: Parts['agents'][string], declared: Parts): JsonObject {
  const { provider, description, instructions, tools, metadata: held } = one
  /** Only what is on every provider that the agent goes to. */
  const reachable = (found: Readonly<Record<string, { readonly provider: ProviderName | undefined }>>) =>
    Object.keys(found).filter((name) => found[name]?.provider === undefined || found[name]?.provider === provider)
  const pick = (found: Parameters<typeof reachable>[0], index: number | undefined) => {
    const names = reachable(found)
    return index === undefined || names.length === 0 ? undefined : names[index % names.length]
  }
  const skills = new Set(one.skills.flatMap((index) => pick(declared.skills, index) ?? []))
  return {
    provider,
    description,
    instructions,
    model: models,
    environment: pick(declared.environments, one.environment),
    vault: pick(declared.vaults, one.vault),
    skills: [...skills],
    ...(tools ? { tools: { builtin: tools } } : {}),
    metadata: held,
  }
}

function mapped<Item, Result>(
  items: Readonly<Record<string, Item>>,
  change: (item: Item, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(items).map(([name, item]) => [name, change(item, name)]))
}
