// `agents state …` from outside.
import { readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { secretEnv, writeProject } from './projects.js'
import { records, scratchFolder } from './scratch.js'

async function applied(t: Parameters<typeof emulate>[0] & Parameters<typeof scratchFolder>[0]) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env, ...secretEnv } })
  writeProject(folder)
  const { code, stderr } = await run('apply', '--yes')
  if (code !== 0) throw new Error(stderr)
  return { folder, emulator, run }
}

t.test('state list shows addresses and ids, filtered by a prefix; an empty folder has none', async (t) => {
  const { run, emulator } = await applied(t)
  const all = await run('state', 'list')
  t.equal(all.code, 0)
  for (const { id } of await emulator.objects()) t.match(all.stdout, id)
  t.equal(all.stdout.trim().split('\n').length, 3)
  t.match((await run('state', 'list', 'qoder.vault')).stdout, /^qoder\.vault\.keys\s+vault_\S+\n$/)
  t.match((await run('state', 'list', 'claude')).stdout, 'State holds nothing there.')
  const json = records((await run('state', 'list', '--json')).stdout)
  t.match(json.at(-1), { type: 'summary', resources: 3 })
  const empty = await agentsHere(['state', 'list'], { folder: scratchFolder(t) })
  t.equal(empty.code, 0)
  t.match(empty.stdout, 'State holds nothing.')
})

t.test('state show prints the recorded row; the provider may be omitted where that is unambiguous', async (t) => {
  const { run } = await applied(t)
  const shown = await run('state', 'show', 'vault.keys')
  t.equal(shown.code, 0)
  t.match(shown.stdout, /^address\s+qoder\.vault\.keys$/m)
  t.match(shown.stdout, /^part\s+\S.* = vcred_\S+$/m)
  const unknown = await run('state', 'show', 'vault.kyes')
  t.equal(unknown.code, 1)
  t.match(unknown.stderr, '[state.unknown-address]')
})

t.test('state rm releases an object without changing it; the next plan would create it again', async (t) => {
  const { run, emulator } = await applied(t)
  const before = (await emulator.requests()).length
  const { code, stdout } = await run('state', 'rm', 'qoder.agent.helper')
  t.equal(code, 0)
  t.match(stdout, /Forgot qoder\.agent\.helper; agent_\S+ stays with the provider\./)
  t.equal((await emulator.requests()).length, before)
  t.match((await run('plan')).stdout, '+ create qoder.agent.helper')
})

t.test('state rm of several addresses forgets all of them or, when one is unknown, none', async (t) => {
  const { run } = await applied(t)
  t.equal((await run('state', 'rm', 'qoder.agent.helper', 'qoder.agent.nobody')).code, 1)
  t.match((await run('state', 'list')).stdout, 'qoder.agent.helper')
  t.equal((await run('state', 'rm', 'agent.helper', 'vault.keys', 'environment.base')).code, 0)
  t.match((await run('state', 'list')).stdout, 'State holds nothing.')
})

t.test('state mv refuses an address in use, another kind and another provider', async (t) => {
  const { run } = await applied(t)
  for (const [to, code] of [
    ['qoder.vault.keys', 'state.move-elsewhere'],
    ['claude.agent.helper', 'state.move-elsewhere'],
    ['qoder.agent.helper', 'state.address-taken'],
  ] as const) {
    const { code: exit, stderr } = await run('state', 'mv', 'qoder.agent.helper', to)
    t.equal(exit, 1, to)
    t.match(stderr, `[${code}]`)
  }
})

t.test('state mv leaves dependents of the moved resource unchanged', async (t) => {
  const { run, folder } = await applied(t)
  const moved = await run('state', 'mv', 'environment.base', 'environment.ground')
  t.equal(moved.code, 0)
  t.equal(moved.stdout, 'qoder.environment.base is now qoder.environment.ground.\n')
  const file = join(folder, 'agents.yaml')
  const yaml = readFileSync(file, 'utf8')
  writeFileSync(file, yaml.replace('  base:\n', '  ground:\n').replace('environment: base', 'environment: ground'))
  const { stdout } = await run('plan')
  t.notMatch(stdout, /create|remove|replace/)
  t.notMatch(stdout, 'qoder.agent.helper')
})

t.test(
  'state unlock removes the lock of another machine and reports its holder; without a lock it succeeds',
  async (t) => {
    const { run, folder } = await applied(t)
    const lock = {
      nonce: 'n',
      pid: 1,
      start: '',
      host: 'elsewhere',
      command: 'agents apply',
      since: '2026-01-01T00:00:00Z',
    }
    writeFileSync(join(folder, 'agents.state.lock'), JSON.stringify(lock))
    const current = await run('state', 'rm', 'agent.helper')
    t.equal(current.code, 1)
    t.match(current.stderr, 'elsewhere')
    t.equal((await run('plan')).code, 0, 'reads need no lock')
    const { code, stdout } = await run('state', 'unlock')
    t.equal(code, 0)
    t.match(stdout, 'Removed the lock of "agents apply" (process 1 on elsewhere')
    t.match((await run('state', 'unlock')).stdout, 'There was no lock.')
  },
)

t.test('state unlock keeps a lock whose holder runs on this machine', async (t) => {
  const { run, folder } = await applied(t)
  const lock = { nonce: 'n', pid: process.pid, start: '', host: hostname(), command: 'agents apply', since: 'today' }
  writeFileSync(join(folder, 'agents.state.lock'), JSON.stringify(lock))
  const { code, stderr } = await run('state', 'unlock')
  t.equal(code, 1)
  t.match(stderr, '[state.lock-in-use]')
})

t.test('a damaged state file stops plan and apply with exit code 1, and is unchanged', async (t) => {
  const { run, folder } = await applied(t)
  const file = join(folder, 'agents.state.json')
  const cut = readFileSync(file, 'utf8').slice(0, 200)
  writeFileSync(file, cut)
  for (const words of [['plan'], ['apply', '--yes'], ['destroy', '--yes'], ['state', 'list']]) {
    const { code, stderr } = await run(...words)
    t.equal(code, 1, words.join(' '))
    t.match(stderr, '[state.damaged]')
  }
  t.equal(readFileSync(file, 'utf8'), cut)
})

t.test(
  'names swapped by state mv, where names are unique: the failure says how to exchange them, and that works',
  async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env, KEY: 'k' } })
    const write = (...keys: readonly string[]) =>
      writeFileSync(
        join(folder, 'agents.yaml'),
        `version: "1"
providers: { qoder: { api_key: "\${KEY}" } }
agents:
${keys.map((key) => `  ${key}: { model: auto, instructions: Be brief. }\n`).join('')}`,
      )
    write('a', 'b')
    t.equal((await run('apply', '--yes')).code, 0)
    const idOf = async (name: string) => (await emulator.objects()).find((object) => object.name === name)?.id
    const [first, second] = [await idOf('a'), await idOf('b')]
    for (const [from, to] of [
      ['a', 'tmp'],
      ['b', 'a'],
      ['tmp', 'b'],
    ] as const)
      t.equal((await run('state', 'mv', `qoder.agent.${from}`, `qoder.agent.${to}`)).code, 0)
    const swapped = await run('apply', '--yes')
    t.match(
      swapped.stderr,
      'It is qoder.agent.b of this project. To exchange names, give qoder.agent.b a name that is free',
    )
    t.notMatch(swapped.stderr, 'agents import')
    write('a', 'c')
    await run('state', 'mv', 'qoder.agent.b', 'qoder.agent.c')
    await run('apply', '--yes')
    t.equal((await run('apply', '--yes')).code, 0)
    write('a', 'b')
    await run('state', 'mv', 'qoder.agent.c', 'qoder.agent.b')
    t.equal((await run('apply', '--yes')).code, 0)
    t.same([await idOf('a'), await idOf('b')], [second, first])
  },
)
