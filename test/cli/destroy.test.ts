// `agents destroy` where something is in the way: told without --cascade, named and ended with it, gone on with later.
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
  other:
    config: { type: cloud }
agents:
  helper:
    model: doubao-seed-2-1-pro-260628
    instructions: Help.
    environment: sandbox
`

/** An applied project with a session that uses its environment. */
async function inUse(t: Test) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const write = (text: string) => writeFileSync(join(folder, 'agents.yaml'), text)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env } })
  write(project)
  t.equal((await run('apply', '--yes')).code, 0)
  const created = await run('session', 'create', 'helper', '--json')
  const session = String(records(created.stdout).find(({ type }) => type === 'session')?.['id'])
  return { emulator, write, run, session }
}

t.test('without --cascade what is blocked fails with the list, the others go on, exit code 3', async (t) => {
  const { emulator, write, run, session } = await inUse(t)
  const { code, stdout, stderr } = await run('destroy', '--yes')
  t.equal(code, 3)
  t.match(stderr, '[provider.in-use]')
  t.match(stderr, `session ${session} (idle)`)
  t.match(stdout, /removed ark\.environment\.other/)
  const left = async () => (await emulator.objects()).filter(({ kind }) => kind !== 'session').map(({ name }) => name)
  t.same(await left(), ['sandbox'])

  t.test('a later destroy goes on, also when the file no longer declares it', async (t) => {
    write('version: "1"\nproviders:\n  ark:\n    api_key: ${ARK_API_KEY}\n')
    t.equal((await run('session', 'delete', session)).code, 0)
    const again = await run('destroy', '--yes')
    t.equal(again.code, 0)
    t.match(again.stdout, 'Applied: 1 removed.')
    t.same(await left(), [])
    t.match((await run('state', 'list')).stdout, 'State holds nothing.')
  })
})

t.test('--cascade names and counts what it ends, before it removes anything', async (t) => {
  const { emulator, run, session } = await inUse(t)
  const { code, stdout } = await run('destroy', '--yes', '--cascade')
  t.equal(code, 0, stdout)
  t.match(stdout, '1 thing that is not declared here is in the way and ended (--cascade):')
  t.match(stdout, `  session ${session} (idle), which uses ark.environment.sandbox`)
  t.ok(stdout.indexOf(session) < stdout.indexOf('removed'), 'named before the first effect')
  t.same(await emulator.objects(), [])
})

t.test('--cascade tells programs as well', async (t) => {
  const { run, session } = await inUse(t)
  const { stdout } = await run('destroy', '--yes', '--cascade', '--json')
  const blocker = records(stdout).find(({ type }) => type === 'blocker')
  t.strictSame(blocker, { type: 'blocker', address: 'ark.environment.sandbox', label: `session ${session} (idle)` })
})
