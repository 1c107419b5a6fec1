// `agents deployment …` and `agents memory …`: actions on applied resources, and refusals of unsupported ones.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const project = `version: "1"
providers:
  ark:
    api_key: \${ARK_API_KEY}
environments:
  sandbox:
    config: { type: cloud }
memory_stores:
  wiki:
    entries:
      - { key: notes/today.md, content: "Ship on Friday" }
agents:
  helper:
    model: doubao-seed-2-1-pro-260628
    instructions: Help.
    environment: sandbox
deployments:
  nightly:
    agent: helper
    initial_events:
      - { type: user.message, content: "Look after \${THING}." }
`

async function applied(t: Test) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  writeFileSync(join(folder, 'agents.yaml'), project)
  const run = (words: string, { input = '', thing = 'the-garden-shed' } = {}) =>
    agentsHere(words.split(' '), { folder, input, env: { ...emulator.env, ...(thing === '' ? {} : { THING: thing }) } })
  const { code, stderr } = await run('apply --yes')
  t.equal(code, 0, stderr)
  return { folder, emulator, run }
}

t.test('a deployment run sends the values of variables in its events, but does not print them', async (t) => {
  const { run } = await applied(t)
  const started = await run('deployment run nightly --json')
  t.equal(started.code, 0, started.stderr)
  const record = records(started.stdout).find(({ type }) => type === 'run')
  t.match(record, { address: 'ark.deployment.nightly', run: { id: /.+/ } })
  const { id } = (record?.['run'] ?? {}) as { id?: string } // Matched above.
  t.match((await run(`session events ${id}`)).stdout, 'Look after (sensitive).')
  t.match((await run(`session events ${id}`, { thing: '' })).stdout, 'Look after the-garden-shed.')
})

t.test(
  'a run with an unset variable, and an action that the provider does not support, are refused before any call',
  async (t) => {
    const { emulator, run } = await applied(t)
    const count = (await emulator.requests()).length
    const unset = await run('deployment run nightly', { thing: '' })
    t.equal(unset.code, 1)
    t.match(unset.stderr, '[variable.unset]')
    t.match(unset.stderr, 'THING')
    for (const action of ['pause', 'resume', 'runs']) {
      const { code, stderr } = await run(`deployment ${action} nightly`)
      t.equal(code, 1)
      t.match(stderr, '[action.not-offered]')
      t.match(stderr, 'kept in the state file only', 'with the reason')
    }
    t.match((await run('deployment run nightl')).stderr, 'Did you mean "nightly"?')
    t.match((await run('memory versions wiki')).stderr, '[action.not-offered]')
    t.equal((await emulator.requests()).length, count)
  },
)

t.test('memories are listed, read, written, replaced and removed by path', async (t) => {
  const { folder, run } = await applied(t)
  t.match((await run('memory list wiki')).stdout, /notes\/today\.md[\s\S]*1 memory\./)
  t.match((await run('memory show wiki notes/today.md')).stdout, 'Ship on Friday\n')
  t.equal((await run('memory put wiki notes/today.md Later')).code, 0)
  t.match((await run('memory show wiki notes/today.md')).stdout, 'Later\n')
  t.equal((await run('memory put wiki from/stdin.md', { input: 'Piped.' })).code, 0)
  writeFileSync(join(folder, 'guide.md'), 'From a file.')
  t.equal((await run('memory put wiki from/file.md --from guide.md')).code, 0)
  const listed = records((await run('memory list wiki from/ --json')).stdout)
  t.same(
    listed
      .filter(({ type }) => type === 'memory')
      .map(({ path }) => path)
      .sort(),
    ['from/file.md', 'from/stdin.md'],
  )
  t.match((await run('memory show wiki from/file.md')).stdout, 'From a file.')
  t.equal((await run('memory rm wiki from/file.md')).code, 0)
  const gone = await run('memory show wiki from/file.md')
  t.equal(gone.code, 1)
  t.match(gone.stderr, '[memory.no-entry]')
  t.equal((await run('memory rm wiki from/file.md')).code, 1)
  t.equal((await run('memory put wiki a.md text --from guide.md')).code, 64)
  t.match((await run('plan')).stdout, 'No changes.', 'initial content is no drift')
})
