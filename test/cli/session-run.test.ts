// `agents session run` and `confirm`: what an agent writes, tools that ask, and how a turn ends.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { onTerminal } from './on-terminal.js'
import { records, scratchFolder } from './scratch.js'

const project = (provider: string) => `version: "1"
providers:
  ${provider}:
    api_key: \${API_KEY}
environments:
  sandbox:
    config: { type: cloud }
agents:
  helper:
    model: doubao-seed-2-1-pro-260628
    instructions: Help.
    environment: sandbox
    tools: { builtin: [bash], default_permission: ask }
`

async function applied(t: Test, provider: string) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  writeFileSync(join(folder, 'agents.yaml'), project(provider))
  const env = { ...emulator.env, API_KEY: 'a-key-of-the-test' }
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env })
  const { code, stderr } = await run('apply', '--yes')
  t.equal(code, 0, stderr)
  return { folder, emulator, env, run }
}

/** What a program reads that runs against real services: there is no line about the emulator. */
const said = (stdout: string) => stdout.replace(/^Emulator: .*\n\n/, '')
/** Undoes the wrapping of messages. */
const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ')
const idIn = (text: string) => /\bse\w+[-_]\S+/.exec(text)?.[0] ?? ''

t.test('run prints what the agent says, and ends with its turn', async (t) => {
  for (const [provider, answer] of [
    ['claude', 'Done: Say hello'],
    ['ark', 'Done (emulated).'],
    ['qoder', 'Done.'],
  ] as const) {
    const { run } = await applied(t, provider)
    const { code, stdout, stderr } = await run('session', 'run', 'helper', 'Say hello')
    t.equal(code, 0, stderr)
    t.equal(said(stdout), `${answer}\n`, provider)
    t.match(stderr, `To go on: agents session send ${idIn(stderr)} TEXT --provider ${provider}`)
  }
})

t.test('a message is printed while it is written, and values of variables are not in it', async (t) => {
  const { run, env } = await applied(t, 'claude')
  const text = `The key is ${env.API_KEY}, and this is the rest of a message that is longer than what is held back.`
  const { stdout } = await run('session', 'run', 'helper', text)
  t.notMatch(stdout, env.API_KEY)
  t.match(
    said(stdout),
    /^Done: The key is \S+, and this is the rest of a message that is longer than what is held back\.\n$/,
  )
})

t.test('a session that asks says so with the command, and confirm answers all or some of the tools', async (t) => {
  const { run, emulator } = await applied(t, 'claude')
  await emulator.knobs({ claude: { turns: 'ask' } })
  const asked = await run('session', 'run', 'helper', 'Test it')
  t.equal(asked.code, 3, asked.stderr)
  t.match(asked.stderr, 'It asks for permission: bash {"command":"make test"} (sevt_')
  t.match(asked.stderr, 'It asks for permission: search {"query":"tests"} (sevt_')
  const id = idIn(asked.stderr)
  t.match(asked.stderr, `agents session confirm ${id} --allow --provider claude`)
  for (const words of [
    ['session', 'events', id],
    ['session', 'show', id],
  ])
    t.match((await run(...words)).stderr, `agents session confirm ${id} --allow`, words.join(' '))

  const [first = ''] = /sevt_[^)]+(?=\))/.exec(asked.stderr) ?? []
  const one = await run('session', 'confirm', id, '--tool', first, '--allow', '--json')
  t.equal(one.code, 0, one.stderr)
  t.match(records(one.stdout).at(-1), { type: 'confirmed', isAllowed: true, tools: [{ id: first, name: 'bash' }] })
  const again = await run('session', 'confirm', id, '--tool', first, '--allow')
  t.equal(again.code, 1)
  t.match(again.stderr, '[session.unknown-tool-use]')
  const second = asked.stderr.match(/sevt_[^)]+(?=\))/g)?.[1] ?? ''
  t.match(
    oneLine(again.stderr),
    `agents session confirm ${id} --tool ${second} --allow or all: agents session confirm ${id} --allow`,
  )
  const rest = await run('session', 'confirm', id, '--deny', '--message', 'Not today')
  t.match(rest.stdout, 'Denied search {"query":"tests"}.')
  const history = await run('session', 'events', id, '--json')
  t.match(
    records(history.stdout)
      .map(({ event }) => event)
      .filter((event) => (event as { type?: string } | undefined)?.type === 'user.tool_confirmation'),
    [
      { tool_use_id: first, result: 'allow' },
      { result: 'deny', deny_message: 'Not today' },
    ],
  )
  const nothing = await run('session', 'confirm', id, '--allow')
  t.equal(nothing.code, 1)
  t.match(nothing.stderr, '[session.asks-nothing]')
  t.match(oneLine(nothing.stderr), `See what it does: agents session events ${id}`)
})

t.test('the records of a run say how it ended, and what was used', async (t) => {
  const { run, emulator } = await applied(t, 'claude')
  const done = await run('session', 'run', 'helper', 'Hello', '--json')
  t.match(records(done.stdout).at(-1), { type: 'summary', outcome: 'done', usage: { inputTokens: 0 } })
  await emulator.knobs({ claude: { turns: 'ask' } })
  const asked = await run('session', 'run', 'helper', 'Hello', '--json')
  t.equal(asked.code, 3)
  t.match(records(asked.stdout).slice(-2), [
    { type: 'waiting', provider: 'claude', tools: [{ name: 'bash', awaits: 'permission' }, { name: 'search' }] },
    { type: 'summary', outcome: 'waiting' },
  ])
})

t.test('Ark takes answers as well, and Qoder says that it takes none', async (t) => {
  const ark = await applied(t, 'ark')
  await ark.emulator.knobs({ ark: { sessionsAsk: true } })
  const asked = await ark.run('session', 'run', 'helper', 'Test it')
  t.equal(asked.code, 3, asked.stderr)
  const id = idIn(asked.stderr)
  const confirmed = await ark.run('session', 'confirm', id, '--allow')
  t.equal(confirmed.code, 0, confirmed.stderr)
  t.match((await ark.run('session', 'events', id)).stdout, 'Done (emulated).')
  const qoder = await applied(t, 'qoder')
  const { stderr: made } = await qoder.run('session', 'run', 'helper', 'Hello')
  const refused = await qoder.run('session', 'confirm', idIn(made), '--allow')
  t.equal(refused.code, 1)
  t.match(refused.stderr, '[action.not-offered]')
  t.match(oneLine(refused.stderr), `See what it does: agents session events ${idIn(made)}`)
})

t.test('confirm needs one of --allow and --deny, and a message only with --deny', async (t) => {
  const run = (...words: readonly string[]) =>
    agentsHere(['session', 'confirm', ...words], { folder: scratchFolder(t) })
  const either = 'agents session confirm x --allow or: agents session confirm x --deny'
  for (const [words, fix] of [
    [['x'], either],
    [['x', '--allow', '--deny'], either],
    [['x', '--allow', '--message', 'not now'], `${either} --message 'not now'`],
    [
      ['x', '--tool', 'y', '-c', 'a b.yaml'],
      "agents session confirm x --tool y --allow --config 'a b.yaml' or: agents session confirm x --tool y --deny",
    ],
  ] as const) {
    const { code, stderr } = await run(...words)
    t.equal(code, 64, stderr)
    t.match(stderr, '[cli.wrong-usage]')
    t.match(oneLine(stderr), fix)
  }
})

t.test('on a terminal, run asks for each tool, and a text refuses it with that message', async (t) => {
  const { folder, emulator, env } = await applied(t, 'claude')
  await emulator.knobs({ claude: { turns: 'ask' } })
  const { code, screen } = await onTerminal(['session', 'run', 'helper', 'Test it'], {
    folder,
    env,
    answers: [
      ['what to tell the agent instead: ', 'y\r'],
      ['what to tell the agent instead: ', 'Only the docs\r'],
    ],
  })
  t.equal(code, 0, screen)
  t.match(screen, 'The agent asks for permission: bash {"command":"make test"}')
  t.match(screen, 'Done:')
  const { stdout } = await agentsHere(['session', 'events', idIn(screen), '--json'], { folder, env })
  t.match(stdout, '"deny_message":"Only the docs"')
})
