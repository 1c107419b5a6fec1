// `agents session …`: content of new sessions, refusals before any call, and all commands on a session.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { start } from './program.js'
import { records, scratchFolder } from './scratch.js'

const project = `version: "1"
providers:
  ark:
    api_key: \${ARK_API_KEY}
environments:
  sandbox:
    config: { type: cloud }
  other:
    config: { type: cloud }
memory_stores:
  wiki:
    description: What is known
  later:
    description: Not applied
agents:
  helper:
    model: doubao-seed-2-1-pro-260628
    instructions: Help.
    environment: sandbox
    memory_stores: [wiki]
  waiting:
    model: doubao-seed-2-1-pro-260628
    instructions: Wait.
    environment: sandbox
`

async function applied(t: Test, text = project) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  writeFileSync(join(folder, 'agents.yaml'), text)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env } })
  const { code, stderr } = await run('apply', '--yes', '--exclude', 'memory_store.later', '--exclude', 'agent.waiting')
  t.equal(code, 0, stderr)
  const sessionRequests = async () => (await emulator.requests()).filter(({ path }) => path.includes('/sessions'))
  return { folder, emulator, run, sessionRequests }
}

t.test('create starts a session with the members of the agent and the options, and sends the message', async (t) => {
  const { run, emulator } = await applied(t)
  const created = await run(
    ...'session create helper --environment other --title Try --message Hello --json'.split(' '),
  )
  t.equal(created.code, 0, created.stderr)
  const session = records(created.stdout).find(({ type }) => type === 'session')
  t.match(session, { provider: 'ark', address: 'ark.agent.helper', id: /.+/ })
  const ids = new Map((await emulator.objects()).map(({ kind, name, id }) => [`${kind}.${name}`, id]))
  t.match(session?.['session'], {
    title: 'Try',
    environment_id: ids.get('environment.other'),
    resources: [{ memory_store_id: ids.get('memory_store.wiki'), access: 'read_write' }],
  })
  const id = String(session?.['id'])
  const events = await run('session', 'events', id)
  t.match(events.stdout, /user\.message {2}Hello/)
  t.match((await run('session', 'create', 'ark.agent.helper')).stdout, /✓ \S+ {2}ark\.agent\.helper/)
})

t.test('a session can be listed, shown, sent messages and deleted by its id', async (t) => {
  const { run } = await applied(t)
  const created = await run('session', 'create', 'agent.helper', '--json')
  const id = String(records(created.stdout).find(({ type }) => type === 'session')?.['id'])
  t.match((await run('session', 'list')).stdout, new RegExp(`^ark\\n${id} .*idle[\\s\\S]*1 session\\.`, 'm'))
  t.match((await run('session', 'list', 'helper', '--json')).stdout, `"id":"${id}"`)
  t.match((await run('session', 'show', id)).stdout, new RegExp(`^id: ${id}$`, 'm'))
  t.equal((await run('session', 'send', id, 'Go on')).code, 0)
  t.match(await run('session', 'send', id, ' '), { code: 1, stderr: /\[session\.empty-message\]/ })
  t.match(await run('session', 'create', 'helper', '--message', ''), { code: 1, stderr: /\[session\.empty-message\]/ })
  t.match(
    (await run('session', 'list')).stdout,
    /1 session\./,
    'a session that would have nothing to do is not created',
  )
  t.match((await run('session', 'events', id)).stdout, 'Go on')
  t.match((await run('session', 'delete', id)).stdout, `Deleted ${id}.`)
  t.match((await run('session', 'list')).stdout, 'There are no sessions.')
  const gone = await run('session', 'show', id, '--provider', 'ark')
  t.equal(gone.code, 1)
  t.match(gone.stderr, '[session.unknown]')
  t.match(gone.stderr, id)
})

const refusals: readonly (readonly [title: string, words: string, code: string, told: RegExp])[] = [
  ['an unknown agent', 'helpr', 'action.unknown-name', /Did you mean "helper"\?/],
  ['an agent that was not applied', 'waiting', 'action.not-applied', /agents apply/],
  ['an unknown environment', 'helper --environment sandbx', 'action.unknown-name', /Did you mean "sandbox"\?/],
  ['a memory store that was not applied', 'helper --memory-store later', 'action.not-applied', /memory_store\.later/],
  ['what the provider forbids', 'helper --identity someone', 'ark.session-option', /Leave out --identity/],
  ['an undeclared provider', 'helper --provider qoder', 'action.unknown-provider', /providers\.qoder/],
]

t.test('impossible requests are refused before any call', async (t) => {
  const { run, sessionRequests } = await applied(t)
  for (const [title, words, code, reported] of refusals) {
    const result = await run('session', 'create', ...words.split(' '))
    t.equal(result.code, 1, title)
    t.match(result.stderr, `[${code}]`, title)
    t.match(result.stderr, reported, title)
  }
  const both = await run(...'session create helper --vault a --memory-store b'.split(' '))
  t.match(both.stderr, /no vault "a"[\s\S]*no memory store "b"/, 'everything missing is reported at once')
  t.same(await sessionRequests(), [])
})

t.test('2.8.P5 a memory store that is not initialised completely is not mounted', async (t) => {
  const { folder, run, sessionRequests } = await applied(t)
  const path = join(folder, 'agents.state.json')
  const state = JSON.parse(readFileSync(path, 'utf8'))
  state.rows['ark.memory_store.wiki'].operation = { type: 'parts', pending: { '/index.md': 'hash' } }
  writeFileSync(path, JSON.stringify(state))
  const { code, stderr } = await run('session', 'create', 'helper')
  t.equal(code, 1)
  t.match(stderr, /ark\.memory_store\.wiki: error: .*\[action\.incomplete\]/)
  t.match(stderr, 'agents apply')
  t.same(await sessionRequests(), [])
})

t.test('wrong usage of --env is reported without its value', async (t) => {
  const { run } = await applied(t)
  const wrong = await run('session', 'create', 'helper', '--env', 'a b=s3cret')
  t.equal(wrong.code, 64)
  t.match(wrong.stderr, '[cli.key-value]')
  t.notMatch(wrong.stderr, 's3cret')
})

t.test('with several providers a name selects the one that has the agent; a bare id needs --provider', async (t) => {
  const text = project
    .replace('environments:', '  claude:\n    api_key: ${ANTHROPIC_API_KEY}\ndefaults:\n  provider: ark\nenvironments:')
    .concat('  both:\n    model: claude-sonnet-4-5\n    instructions: Be there.\n    provider: claude\n')
  const { run } = await applied(t, text)
  t.equal((await run('session', 'create', 'helper')).code, 0)
  t.equal(
    (await run('session', 'create', 'helper', '--provider', 'p-d')).code,
    0,
    'an alias of the provider is accepted',
  )
})

t.test('--follow prints events until Ctrl-C, exit code 130', async (t) => {
  const { folder, emulator, run } = await applied(t)
  const created = await run('session', 'create', 'helper', '--message', 'Hello', '--json')
  const id = String(records(created.stdout).find(({ type }) => type === 'session')?.['id'])
  const { child, seen, ended } = start(['session', 'events', id, '--follow'], { folder, env: { ...emulator.env } })
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', () => {
      if (seen.stdout.includes('Hello')) resolve()
    })
    void ended.then(({ stderr }) => reject(new Error(`it ended: ${stderr}`)))
  })
  child.kill('SIGINT')
  const { code, stderr } = await ended
  t.equal(code, 130)
  t.notMatch(stderr, 'bug')
})
