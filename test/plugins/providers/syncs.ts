// Projects with everything that sync can read from a provider, by section of the file.
import type { Test } from 'tap'
import { World } from '../../../core/conformance/world.js'
import type { Provider } from '../../../core/plugin/provider.js'
import { arkEmulator } from '../../../plugins/ark/emulator/index.js'
import { ark } from '../../../plugins/ark/index.js'
import { bailianEmulator } from '../../../plugins/bailian/emulator/index.js'
import { bailian } from '../../../plugins/bailian/index.js'
import { claudeEmulator } from '../../../plugins/claude/emulator/index.js'
import { claude } from '../../../plugins/claude/index.js'
import type { EmulatedProvider } from '../../../plugins/emulator/contract.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { emulated } from '../../support/emulated.js'

export interface SyncSubject {
  readonly provider: Provider
  readonly emulator: EmulatedProvider
  readonly head: string
  readonly sections: Readonly<Record<string, string>>
}

const headOf = (provider: string, more = '') =>
  `version: "1"\nproviders:\n  ${provider}:\n    api_key: \${KEY}\n${more}`
export const files = { 'review/SKILL.md': '---\nname: review\ndescription: How\n---\nRead.\n', 'in.csv': 'a,b\n' }

const limited = '{ type: limited, allow_mcp_servers: true, allow_package_managers: true, allowed_hosts: [a.example] }'
const environments = (networking: string) => `
  workshop:
    name: The workshop
    description: Costs $\${5}
    config:
      type: cloud
      networking: ${networking}
      packages: { pip: [ruff], npm: [prettier] }
    metadata: { team: platform }
  plain:
    config: { type: cloud }`
const oauth = `
      - name: Wiki
        type: mcp_oauth
        mcp_server_url: https://mcp.example/wiki
        access_token: "\${TRACKER}"
        refresh:
          token_endpoint: https://auth.example/token
          client_id: steward
          refresh_token: "\${TRACKER}"
          token_endpoint_auth: { type: client_secret_basic, client_secret: "\${TRACKER}" }
          scope: read`
const bearer = `
      - { name: Tracker, type: static_bearer, mcp_server_url: https://mcp.example/tracker, access_token: "\${TRACKER}" }`
const injection = `
        injection_location: { header: true, body: true }`
const vaults = (more: string, onGithub: string) => `
  keys:
    display_name: All keys
    credentials:${more}
      - name: github
        type: environment_variable
        secret_name: GITHUB_TOKEN
        secret_value: \${GITHUB}
        networking: { allowed_hosts: [api.github.com] }${onGithub}
      - { name: open, type: environment_variable, secret_name: OPEN, secret_value: "\${GITHUB}" }
    metadata: { team: platform }`
const memoryStores = (metadata: string) => `
  notes:
    name: Team notes
    description: What we learnt
    metadata: ${metadata}
    entries: [{ key: style.md, content: Be brief. }]`
const skills = `
  review: { source: ./review }`
const agents = (skillsOfReviewer: string, toolsAndServers: string, others: string, model = 'some-model') => `
  reviewer:
    description: Reviews
    model: ${model}
    instructions: |
      Costs $\${5}.
      Be kind.
    environment: workshop
    memory_stores: [notes]
    skills: ${skillsOfReviewer}
    tools:
      builtin: [bash, read]
      permissions: { bash: ask }
      mcp:${toolsAndServers}
    metadata: { purpose: review }${others}
  plain: { model: ${model}, instructions: Help. }
  lead:
    model: ${model}
    instructions: Share the work.
    multiagent: { agents: [reviewer, plain] }`
const schedule = `
    schedule: { expression: 0 9 * * 1-5, timezone: Europe/Berlin }
    metadata: { team: platform }`

export const subjects = {
  ark: {
    provider: ark,
    emulator: arkEmulator,
    head: headOf('ark'),
    sections: {
      environments: environments(limited),
      vaults: vaults(bearer, ''),
      memory_stores: memoryStores('{ tier: "2" }'),
      skills,
      agents: agents(
        '[review]',
        `
        - type: mcp_toolkit
          mcp_server_name: tracker
          default_config: { enabled: true }
          configs: [{ name: remove, enabled: false }]
    mcp_servers:
      - { name: tracker, url: https://mcp.example/tracker }`,
        `
  everything:
    model: some-model
    instructions: Help.
    tools:
      builtin: [bash, edit, glob, grep, read, web_fetch, web_search, write]
      mcp: [{ type: mcp_toolkit, mcp_server_name: maps }]
    mcp_servers: [{ name: maps, url: https://mcp.example/maps }]`,
      ),
    },
  },
  bailian: {
    provider: bailian,
    emulator: bailianEmulator,
    head: headOf('bailian', '    workspace_id: ws-1\n'),
    sections: {
      environments: environments('{ type: unrestricted }'),
      vaults: vaults('', injection),
      memory_stores: memoryStores('{ tier: 2, tags: [a, b], owner: { team: data, level: 1 }, flag: false }'),
      skills,
      files: `
  handbook: { source: ./in.csv }`,
      agents: agents(
        '[review, { type: official, skill_id: pptx }]',
        `
        - type: mcp_toolkit
          mcp_server_name: maps
          default_config: { enabled: true }
        - type: mcp_toolkit
          mcp_server_name: tracker
          configs: [{ name: search, enabled: true }]
        - { type: mcp_toolkit, mcp_server_name: silent }
    mcp_servers:
      - { name: maps, type: official }
      - { name: tracker, type: official }
      - { name: silent, type: official }`,
        `
  asker:
    model: qwen3.8-max
    instructions: Ask.
    tools: { builtin: [write, edit, glob, grep, read, bash, download_file], default_permission: ask }`,
        'qwen3.8-max',
      ),
      deployments: `
  nightly:
    agent: plain
    description: Runs at night
    environment: workshop
    vaults: [keys]
    resources:
      - { type: file, source: ./in.csv, mount_path: in/data.csv }
    environment_variables: { REGION: eu }
    initial_events:
      - { type: system.message, content: Be brief. }
      - { type: user.message, content: [{ type: text, text: One. }, { type: text, text: Two. }] }${schedule}
  now:
    agent: asker
    initial_events: [{ type: user.message, content: Go. }]`,
    },
  },
  claude: {
    provider: claude,
    emulator: claudeEmulator,
    head: headOf('claude'),
    sections: {
      environments: environments(limited),
      vaults: vaults(bearer + oauth, injection),
      memory_stores: memoryStores('{ tier: "2" }'),
      skills,
      agents: agents(
        '[review]',
        `
        - type: mcp_toolkit
          mcp_server_name: tracker
          configs: [{ name: search, enabled: true }]
    mcp_servers:
      - { name: tracker, url: https://mcp.example/tracker }
      - { name: maps, url: https://mcp.example/maps }`,
        `
  asker:
    model: some-model
    instructions: Ask.
    tools: { builtin: [web_search, web_fetch, write, edit, glob, grep, read, bash], default_permission: ask }
  limited:
    model: some-model
    model_settings: { speed: fast, inference_geo: eu }
    instructions: Look.
    tools:
      builtin: [bash, edit, glob, grep, read, web_fetch, web_search, write]
      permissions: { bash: auto }
      limits:
        web_fetch: { allowed_domains: [a.example], max_content_tokens: 9, url_sources: { user_input: none } }
        web_search: { blocked_domains: [b.example], user_location: { city: Berlin } }
      custom:
        - { name: pay, description: Pays., input_schema: { type: object, properties: { sum: { type: number } } } }
      mcp:
        - { type: mcp_toolkit, mcp_server_name: maps, default_config: { enabled: true, permission: ask } }
    mcp_servers: [{ name: maps, url: https://mcp.example/maps }]
  guide:
    model: some-model
    instructions: Guide.
    multiagent:
      advisor: { model: wise-model }
      subagents: { agents: [plain], inline_agents: false }
      workflows: { enabled: false }
  free: { model: some-model, instructions: Go., multiagent: { type: multiagent_20261001 } }`,
      ),
      deployments: `
  nightly:
    agent: reviewer
    budget: { amount: 2.5 }
    description: Runs at night
    vaults: [keys]
    resources:
      - { type: file, source: ./in.csv, mount_path: in/data.csv }
      - { type: file, source: ./in.csv }
      - type: git_repository
        url: https://git.example/acme/tools
        authorization_token: \${GITHUB}
        checkout: { branch: main }
    initial_events:
      - { type: system.message, content: Be brief. }
      - { type: user.define_outcome, description: Done, rubric: Good. }
      - { type: user.define_outcome, description: Done, rubric_file: ./in.csv, max_iterations: 5 }${schedule}`,
    },
  },
} as const satisfies Readonly<Record<string, SyncSubject>>

export function versionOf({ head, sections }: SyncSubject) {
  const text = Object.entries(sections).map(([section, body]) => `${section}:${body}\n`)
  return { text: head + text.join(''), files }
}

/** Opens an empty account. */
export async function opened(t: Test, subject: SyncSubject): Promise<World> {
  const world = await World.open({
    provider: subject.provider,
    kinds,
    project: versionOf(subject),
    edits: {},
    variables: { KEY: 'key-0123456789', TRACKER: 'tracker-t0ken-value', GITHUB: 'ghp-s3cret-value' },
    startService: emulated(subject.emulator),
  })
  t.teardown(() => world.close())
  return world
}

/** Opens an account in which the project is applied. */
export async function applied(t: Test, subject: SyncSubject): Promise<World> {
  const world = await opened(t, subject)
  await world.apply({ version: versionOf(subject) })
  return world
}

/** Changes an object like another client. */
export async function changeElsewhere(world: World, kind: string, name: string, body: object): Promise<void> {
  const found = (await world.service.objects()).find((object) => object.kind === kind && object.name === name)
  const response = await fetch(`${world.service.emulatorUrl}/_emulator/objects/${found?.id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}
