// Dialects: providers of agents.yaml that speak the wire of a built-in one.
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { root } from './program.js'
import { records, scratchFolder } from './scratch.js'

const keys = {
  ANTHROPIC_API_KEY: 'key-of-claude',
  RESEARCH_ANTHROPIC_API_KEY: 'key-of-research',
  ZHIPUAI_API_KEY: 'key-of-zhipu',
  QINIU_API_KEY: 'key-of-qiniu',
}
const names = ['claude', 'claude-research', 'zhipu', 'qiniu', 'local'] as const

/** A scratch folder with the example, changed in some places, and an emulator. */
async function example(t: Test, ...changes: readonly (readonly [from: string, to: string])[]) {
  const folder = scratchFolder(t)
  cpSync(join(root, 'examples/dialects'), folder, { recursive: true })
  const file = join(folder, 'agents.yaml')
  const change = (from: string, to: string) => {
    const text = readFileSync(file, 'utf8')
    if (!text.includes(from)) throw new Error(`${from} is not in the example`)
    writeFileSync(
      file,
      text.replace(from, () => to),
    )
  }
  for (const [from, to] of changes) change(from, to)
  const emulator = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env, ...keys } })
  return { folder, emulator, change, run }
}

t.test('every dialect has addresses, objects and an account of its own, through its whole life', async (t) => {
  const { folder, emulator, change, run } = await example(t)
  const applied = await run('apply', '--yes')
  t.equal(applied.code, 0, applied.stderr)
  const objects = await emulator.objects()
  t.same(
    objects.map(({ provider, kind }) => `${provider} ${kind}`).sort(),
    names.flatMap((name) => [`${name} agent`, `${name} environment`]).sort(),
  )
  const listed = (await run('state', 'list')).stdout
  for (const name of names) t.match(listed, `${name}.agent.helper `)
  t.match((await run('plan')).stdout, 'No changes. 10 resources as declared.')
  const declared = readFileSync(join(folder, 'agents.yaml'), 'utf8')
  t.equal((await run('sync')).code, 0)
  t.equal(readFileSync(join(folder, 'agents.yaml'), 'utf8'), declared, 'sync finds nothing else')

  change('    environment: desk\n', '    environment: desk\n    description: Knows the project.\n')
  const updated = await run('apply', '--yes')
  t.equal(updated.code, 0, updated.stderr)
  t.match(updated.stdout, 'Applied: 5 updated.')

  const agent = objects.find(({ provider, kind }) => provider === 'zhipu' && kind === 'agent')
  await emulator.patch(agent?.id ?? '', { description: 'Changed by somebody' })
  const planned = await run('plan')
  t.match(planned.stdout, '~ update zhipu.agent.helper')
  t.notMatch(planned.stdout, 'claude.agent.helper')

  const said = await run('session', 'run', 'helper', 'Say hello', '--provider', 'zhipu')
  t.equal(said.code, 0, said.stderr)
  t.match(said.stdout, 'Done: Say hello')

  const destroyed = await run('destroy', '--cascade', '--yes')
  t.equal(destroyed.code, 0, destroyed.stderr)
  t.same(await emulator.objects(), [])
})

t.test('the emulated services refuse the headers, the key and the toolset of another one', async (t) => {
  const cases: readonly (readonly [from: string, to: string, told: string | RegExp])[] = [
    ['    auth: bearer\n    headers:\n', '    headers:\n', 'Authorization: Bearer is required'],
    ['      zai-version: 2026-05-26\n', '', 'zai-version must be 2026-05-26'],
    ['managed-agents-2026-05-26', 'managed-agents-2026-04-01', 'zai-beta must be managed-agents-2026-05-26'],
    ['    toolset: agent_toolset_20260601\n', '', 'the toolset is agent_toolset_20260601 here'],
    ['    headers: {}\n', '', 'anthropic-version is a header of another service'],
  ]
  for (const [from, to, told] of cases) {
    const { run } = await example(t, [from, to])
    const { code, stderr } = await run('apply', '--yes')
    t.not(code, 0, told.toString())
    t.match(stderr, told)
    for (const key of Object.values(keys)) t.notMatch(stderr, key)
  }
})

t.test('a request has the headers that the file names, and the key in the header that it names', async (t) => {
  const { emulator, run } = await example(t)
  await run('apply', '--yes')
  const seen = await emulator.requests()
  const headersOf = (name: string) => seen.find(({ provider }) => provider === name)?.headers ?? {}
  t.equal(headersOf('zhipu')['zai-version'], '2026-05-26')
  t.equal(headersOf('zhipu')['anthropic-version'], undefined)
  t.ok(headersOf('zhipu')['authorization'])
  t.equal(headersOf('zhipu')['x-api-key'], undefined)
  t.ok(headersOf('claude-research')['x-api-key'])
  t.ok(headersOf('claude-research')['anthropic-beta'])
})

t.test('what a dialect lacks is refused with the reason, at its place', async (t) => {
  const { change, run } = await example(t)
  change('[bash, read, write, edit, grep]', '[bash, web_fetch]')
  const tool = await run('validate')
  t.equal(tool.code, 1)
  t.match(tool.stdout, /error: .*\[provider\.lacks\] zhipu\.agent\.helper/)
  t.match(tool.stdout, 'zhipu lacks agent.tools.builtin.web_fetch: the toolset does not reach the web yet.')
  t.notMatch(tool.stderr, 'qiniu lacks')
  change('[bash, web_fetch]', '[bash]')
  change('    environment: desk\n', '    environment: desk\n    multiagent: { type: coordinator, agents: [other] }\n')
  t.match((await run('validate')).stdout, 'zhipu lacks agent.multiagent: agents have no roster.')
  change('    multiagent: { type: coordinator, agents: [other] }\n', '')
  change(
    'agents:\n',
    'deployments:\n  nightly: { provider: local, agent: helper, initial_events: [{ type: user.message, content: Go }] }\nagents:\n',
  )
  const kind = await run('validate')
  t.match(kind.stdout, /\[provider\.unsupported\]/)
  t.match(kind.stdout, 'nothing runs on a schedule here')
})

t.test('providers, explain and schema tell of dialects', async (t) => {
  const { run } = await example(t)
  const table = (await run('providers')).stdout
  t.match(table, 'zhipu is zhipu (like claude).')
  t.match(table, /local, deployment:.* nothing runs on a schedule here/)
  const explained = (await run('explain', 'providers.zhipu')).stdout
  for (const key of ['like', 'lacks', 'auth', 'headers', 'toolset']) t.match(explained, new RegExp(`^  ${key}  `, 'm'))
  const { stdout } = await run('schema')
  const schema = JSON.parse(stdout)
  t.ok(schema.properties.providers.properties.zhipu.properties.like)
  t.notOk(schema.properties.providers.properties.claude.properties.like)
  t.same(schema.properties.providers.additionalProperties.anyOf, [{ required: ['plugin'] }, { required: ['like'] }])
  const [first] = records((await run('validate', '--json')).stdout)
  t.ok(first)
})

t.test('mistakes in a dialect are told at their place', async (t) => {
  const cases: readonly (readonly [change: readonly [string, string], code: string, detail: string])[] = [
    [
      ['like: claude\n    base_url: http:', 'like: cluade\n    base_url: http:'],
      'provider.unknown',
      'Did you mean "claude"?',
    ],
    [['  local:\n', '  ark:\n'], 'provider.invalid-name', '"ark" is the name of a built-in provider'],
    [['deployment: nothing', 'deplyoment: nothing'], 'provider.lacks-unknown', 'Did you mean "deployment"?'],
    [['agent.multiagent:', 'agent.multiagnet:'], 'provider.lacks-unknown', 'Did you mean "multiagent"?'],
    [['RESEARCH_ANTHROPIC', 'ANTHROPIC'], 'provider.same-account', 'claude-research and claude have the same'],
    [['zai-version: 2026-05-26', 'authorization: Bearer x'], 'declaration.refused-key', 'The key goes into api_key'],
  ]
  for (const [change, code, detail] of cases) {
    const { run } = await example(t, change)
    const { stdout } = await run('validate')
    t.match(stdout, `[${code}]`)
    t.match(stdout, detail)
  }
})

t.test('any built-in provider can be declared twice', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  writeFileSync(
    join(folder, 'agents.yaml'),
    `version: "1"
providers:
  qoder: { api_key: one }
  second: { like: p-b, api_key: two }
  bailian: { api_key: one, workspace_id: w }
  other: { like: bailian, api_key: two, workspace_id: v }
  ark: { api_key: one }
  volc: { like: ark, api_key: two }
defaults: { provider: all }
environments:
  desk: { config: { type: cloud } }
`,
  )
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
  const applied = await run('apply', '--yes')
  t.equal(applied.code, 0, applied.stderr)
  t.match(applied.stdout, 'Applied: 6 created.')
  t.match((await run('plan')).stdout, 'No changes.')
  const odd = await fetch(`${emulator.url}/Not-A-Name/claude/v1/agents`)
  t.equal(odd.status, 404)
  const taken = await fetch(`${emulator.url}/second/claude/v1/agents`)
  t.equal(taken.status, 404, 'a name is one service')
})
