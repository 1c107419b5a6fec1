// Settings that agents.yaml cannot express and somebody made at the provider survive every update, or the plan names
// their loss before it happens.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const blocks = { claude: 'claude: { api_key: "${KEY}" }', qoder: 'qoder: { api_key: "${KEY}" }' } as const

interface Toolset {
  readonly type: string
  readonly default_config: object
  readonly configs: { name: string; allowed_domains?: readonly string[] }[]
}

interface Agent {
  readonly model: object
  readonly tools: readonly Toolset[]
}

interface Project {
  readonly provider: keyof typeof blocks
  readonly model: string
  readonly tools: string
  readonly mcp?: string
  readonly network?: string
}

const textOf = ({ provider, model, tools, mcp = '', network = 'unrestricted' }: Project) => `version: "1"
providers: { ${blocks[provider]} }
environments:
  dev: { config: { type: cloud, networking: { type: ${network} } } }
agents:
  helper:
    model: ${model}
    instructions: Help.
    environment: dev
    mcp_servers: [{ name: issues, url: https://issues.example.com/mcp }]
    tools: { builtin: [${tools}], mcp: [${mcp}] }
`

async function applied(t: Test, project: Project) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const run = (...words: string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'k' } })
  const write = (next: Project) => writeFileSync(join(folder, 'agents.yaml'), textOf(next))
  write(project)
  t.equal((await run('apply', '--yes')).code, 0)
  const ids = new Map((await emulator.objects()).map(({ kind, id }) => [kind, id]))
  // The tests know which object they read.
  const object = async (kind: string) =>
    (await (await fetch(`${emulator.url}/_emulator/objects/${ids.get(kind)}`)).json()) as Agent
  return {
    folder,
    run,
    write,
    object,
    patch: (kind: string, body: unknown) => emulator.patch(ids.get(kind) ?? '', body),
  }
}

t.test('claude: domains of a tool and the region of a model survive a change of tools and model', async (t) => {
  const project = { provider: 'claude', model: 'claude-sonnet-5', tools: 'bash, web_fetch' } as const
  const { run, write, object, patch } = await applied(t, project)
  const { tools } = await object('agent')
  const limited = tools[0]?.configs.find(({ name }) => name === 'web_fetch')
  if (limited) limited.allowed_domains = ['docs.example.com']
  await patch('agent', { model: { inference_geo: 'eu', effort: { type: 'high' } }, tools })
  t.match((await run('plan')).stdout, /No changes/)
  const edits = [
    { model: 'claude-opus-5', tools: 'bash, web_fetch, read' },
    { model: 'claude-opus-5', tools: 'read' },
    { model: 'claude-opus-5', tools: '' },
    { model: 'claude-sonnet-5', tools: 'bash, edit, glob, grep, read, web_fetch, web_search, write' },
  ]
  for (const edit of edits) {
    write({ ...project, ...edit })
    t.equal((await run('apply', '--yes')).code, 0, edit.tools)
    t.match((await run('plan')).stdout, /No changes/)
    const now = await object('agent')
    t.match(now.model, { id: edit.model, inference_geo: 'eu', effort: { type: 'high' } })
    const fetching = now.tools[0]?.configs.find(({ name }) => name === 'web_fetch')
    t.match(fetching, { enabled: edit.tools.includes('web_fetch'), allowed_domains: ['docs.example.com'] }, edit.tools)
  }
})

for (const provider of ['claude', 'qoder'] as const)
  t.test(
    `2.13 ${provider}: an approval of MCP tools set elsewhere is lifted by a plan that says so, or declared`,
    async (t) => {
      const project = { provider, model: 'auto', tools: 'bash' }
      const { run, write, object, patch, folder } = await applied(t, project)
      const asking = { default_config: { enabled: true, permission_policy: { type: 'always_ask' } } }
      const { tools } = await object('agent')
      await patch('agent', { tools: tools.map((set) => (set.type === 'mcp_toolset' ? { ...set, ...asking } : set)) })
      t.match((await run('plan')).stdout, /tools\.mcp\.issues\.\*: +"ask" -> "allow"/)
      // A state of the release that had no word for it.
      const state = readFileSync(join(folder, 'agents.state.json'), 'utf8')
      writeFileSync(join(folder, 'agents.state.json'), state.replaceAll('"form": 2', '"form": 1'))
      t.match((await run('plan')).stdout, /tools\.mcp\.issues\.\*: +"ask" -> "allow"/)
      const toolkit =
        '{ type: mcp_toolkit, mcp_server_name: issues, default_config: { enabled: true, permission: ask } }'
      write({ ...project, tools: 'bash, read', mcp: toolkit })
      t.equal((await run('apply', '--yes')).code, 0)
      const now = (await object('agent')).tools.find(({ type }) => type === 'mcp_toolset')
      t.match(now, asking)
    },
  )

t.test(
  'members that a service adds to the events of a deployment are no difference, and sync writes none',
  async (t) => {
    for (const provider of ['claude', 'qoder'] as const) {
      const folder = scratchFolder(t)
      const emulator = await emulate(t)
      const run = (...words: string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'k' } })
      const text = `${textOf({ provider, model: 'auto', tools: 'bash' })}deployments:
  nightly:
    agent: helper
    initial_events:
      - { type: user.message, content: Begin. }
      - { type: user.define_outcome, description: A report, rubric: It is short., max_iterations: 3 }
`
      writeFileSync(join(folder, 'agents.yaml'), text)
      const { code, stderr } = await run('apply', '--yes')
      t.equal(code, 0, stderr)
      const id = (await emulator.objects()).find(({ kind }) => kind === 'deployment')?.id ?? ''
      const added = { added: true }
      await emulator.patch(id, {
        initial_events: [
          { type: 'user.message', content: [{ type: 'text', text: 'Begin.', ...added }], ...added },
          {
            type: 'user.define_outcome',
            description: 'A report',
            rubric: { type: 'text', content: 'It is short.', ...added },
            max_iterations: 3,
            ...added,
          },
        ],
      })
      t.match((await run('plan')).stdout, /No changes/, provider)
      const synced = await run('sync')
      t.equal(synced.code, 0, synced.stderr)
      t.equal(readFileSync(join(folder, 'agents.yaml'), 'utf8'), text)
    }
  },
)

t.test('what a change of type erases is named by the plan, counts as final, and is asked for', async (t) => {
  const project = { provider: 'claude', model: 'claude-sonnet-5', tools: 'bash', network: 'limited' } as const
  const { run, write, patch } = await applied(t, project)
  await patch('environment', { config: { networking: { blocked_hosts: ['evil.example.com'] } } })
  write({ ...project, network: 'unrestricted' })
  const planned = (await run('plan')).stdout.replaceAll(/\s+/g, ' ')
  t.match(planned, /The object has config\.networking\.blocked_hosts, which agents\.yaml does not state/)
  const change = records((await run('plan', '--json')).stdout).find(
    ({ address }) => address === 'claude.environment.dev',
  )
  t.match(change, {
    irreversible: 'erases settings that agents.yaml does not state',
    notes: [{ code: 'plan.undeclared-lost', severity: 'warning' }],
  })
})

t.test('claude: switches of an agent that the file does not state are named where a change ends them', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const run = (...words: string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'k' } })
  const write = (multiagent: string) =>
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"
providers: { ${blocks.claude} }
agents:
  helper: { model: claude-opus-5, instructions: Help. }
  lead: { model: claude-opus-5, instructions: Lead.${multiagent} }
`,
    )
  write(', multiagent: { subagents: { agents: [helper] } }')
  t.equal((await run('apply', '--yes')).code, 0)
  const planned = async () =>
    records((await run('plan', '--json')).stdout).find(({ address }) => address === 'claude.agent.lead') ?? {}
  const ends = [', multiagent: { agents: [helper] }', '']
  for (const multiagent of ends) {
    write(multiagent)
    t.match(await planned(), { action: 'update', irreversible: undefined }, 'what every agent has is no loss')
  }
  const lead = (await emulator.objects()).find(({ name }) => name === 'lead')?.id ?? ''
  const workflows = { type: 'enabled', inline_agents: { type: 'disabled' } }
  await emulator.patch(lead, { multiagent: { advisor: { type: 'enabled', model: 'claude-opus-5' }, workflows } })
  const lost = 'multiagent.advisor.enabled, multiagent.advisor.model, multiagent.workflows.inline_agents'
  for (const multiagent of ends) {
    write(multiagent)
    const { irreversible, notes } = await planned()
    t.match(irreversible, /does not state/)
    t.match(notes, [{ code: 'plan.undeclared-lost', detail: `The object has ${lost}, which` }])
  }
})

t.test('qoder: metadata that others set is named where its object is replaced', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const run = (...words: string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'k' } })
  writeFileSync(
    join(folder, 'agents.yaml'),
    `version: "1"\nproviders: { ${blocks.qoder} }\nfiles: { f: { source: ./a.txt } }\n`,
  )
  writeFileSync(join(folder, 'a.txt'), 'a')
  t.equal((await run('apply', '--yes')).code, 0)
  const [file] = (await emulator.objects()).filter(({ kind }) => kind === 'file')
  await emulator.patch(file?.id ?? '', { metadata: { legal_hold: 'yes' } })
  writeFileSync(join(folder, 'a.txt'), 'b')
  t.match((await run('plan')).stdout, /The object has metadata\.legal_hold, which agents\.yaml does not state/)
})

t.test('claude: sync writes an effort that the file states, and leaves one out that it does not', async (t) => {
  const project = { provider: 'claude', model: 'claude-opus-5', tools: 'bash' } as const
  const { run, patch, folder } = await applied(t, project)
  const file = join(folder, 'agents.yaml')
  await patch('agent', { model: { effort: { type: 'max' } } })
  t.equal((await run('sync')).code, 0)
  t.notMatch(readFileSync(file, 'utf8'), 'effort')
  const settings = (effort: string) => `model_settings: { effort: ${effort} }`
  const text = readFileSync(file, 'utf8').replace('instructions:', `${settings('low')}\n    instructions:`)
  writeFileSync(file, text)
  t.equal((await run('apply', '--yes')).code, 0)
  await patch('agent', { model: { effort: { type: 'max' } } })
  t.equal((await run('sync')).code, 0)
  t.match(readFileSync(file, 'utf8'), settings('max'))
  t.match((await run('plan')).stdout, /No changes/)
})
