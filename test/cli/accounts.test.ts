// Accounts and state: a lost state file, the key of another account, and the change from the emulator to the real service.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

type Clean = Parameters<typeof scratchFolder>[0] & Parameters<typeof emulate>[0]

/** A project on Claude whose base_url is the emulator, so that the program treats it as the real service. */
async function scene(t: Clean) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const file = join(folder, 'agents.yaml')
  const writeAt = (url: string, ...names: readonly string[]) => {
    const lines = names.map((name) => `  ${name}: { config: { type: cloud } }\n`).join('')
    const provider = `{ api_key: "\${KEY}", base_url: ${url}/claude/v1 }`
    writeFileSync(file, `version: "1"\nproviders:\n  claude: ${provider}\n${lines && `environments:\n${lines}`}`)
  }
  const write = (...names: readonly string[]) => writeAt(emulator.url, ...names)
  const read = () => readFileSync(file, 'utf8')
  const real = (...words: readonly string[]) => agentsHere(words, { folder, env: { KEY: 'key-of-one-account' } })
  const other = (...words: readonly string[]) => agentsHere(words, { folder, env: { KEY: 'key-of-another' } })
  const trying = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
  const lose = (...names: readonly string[]) => {
    for (const name of names) rmSync(join(folder, `agents.state.${name}`))
  }
  return { ...emulator, folder, write, writeAt, read, real, other, trying, lose }
}

t.test('a plan detects a lost state file by ownership marks, and sync --import binds every object again', async (t) => {
  const { write, real, lose, objects } = await scene(t)
  write('one', 'two')
  t.equal((await real('apply', '--yes')).code, 0)
  lose('json')
  for (const words of [['plan'], ['apply', '--yes']]) {
    const { code, stderr } = await real(...words)
    t.match([code, stderr], [1, /\[plan\.unrecorded\][\s\S]*agents sync --import --owned --provider claude/])
  }
  for (const [words, consequence] of [
    [['destroy', '--yes'], /They would stay where they are[\s\S]*agents sync --import --owned --provider claude/],
    [['plan', '--refresh-only'], /They cannot be compared/],
  ] as const) {
    const { code, stderr } = await real(...words)
    t.match([code, stderr], [1, consequence])
  }
  t.equal((await objects()).length, 2)
  t.equal((await real('sync', '--import', '--provider', 'claude')).code, 0)
  t.match((await real('plan')).stdout, 'No changes.')

  lose('json')
  t.match(
    (await real('plan', '--recreate', 'claude')).stdout,
    'Plan: 2 to create.',
    '--recreate ignores the existing objects',
  )
  write('three')
  t.match((await real('plan')).stdout, 'Plan: 1 to create.', 'only declared objects are searched for')
})

t.test('a lost state file with a backup is an error whose fix restores the backup', async (t) => {
  const { write, real, lose, objects } = await scene(t)
  write('one')
  await real('apply', '--yes')
  write('one', 'two')
  await real('apply', '--yes')
  lose('json')
  for (const words of [['plan'], ['apply', '--yes'], ['destroy', '--yes'], ['state', 'list']]) {
    const { code, stderr } = await real(...words)
    t.match([code, stderr], [1, /\[state\.missing\][\s\S]*cp .*agents\.state\.backup .*agents\.state\.json/])
  }
  t.equal((await objects()).length, 2)
  t.equal((await real('sync', '--import')).code, 0, 'sync --import works without the backup')
  t.match((await real('plan')).stdout, 'No changes.')
})

t.test('a backup put back sets no deployment back to an earlier version of its agent', async (t) => {
  const { folder, real, url } = await scene(t)
  const write = (instructions: string) =>
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"\nproviders:\n  claude: { api_key: "\${KEY}", base_url: ${url}/claude/v1 }
environments:\n  base: { config: { type: cloud } }
agents:\n  helper: { model: claude-sonnet-4-5, instructions: "${instructions}", environment: base }
deployments:\n  nightly: { agent: helper, initial_events: [{ type: user.message, content: Go. }] }\n`,
    )
  write('Help.')
  t.equal((await real('apply', '--yes')).code, 0)
  write('Help them all.')
  t.equal((await real('apply', '--yes')).code, 0)
  copyFileSync(join(folder, 'agents.state.backup'), join(folder, 'agents.state.json'))
  t.match((await real('plan')).stdout, 'No changes.')
})

t.test('a key that the provider refuses makes the first plan fail', async (t) => {
  const folder = scratchFolder(t)
  const server = createServer((_, response) => {
    const error = { type: 'authentication_error', message: 'invalid x-api-key' }
    response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  const { port } = server.address() as AddressInfo
  const provider = `{ api_key: k, base_url: "http://127.0.0.1:${port}/v1" }`
  const text = `version: "1"\nproviders: { claude: ${provider} }\nenvironments: { one: { config: { type: cloud } } }\n`
  writeFileSync(join(folder, 'agents.yaml'), text)
  for (const words of [['plan'], ['plan', '--recreate', 'claude']]) {
    const { code, stderr } = await agentsHere(words, { folder })
    t.match([code, stderr], [1, '[provider.denied]'], words.join(' '))
  }
})

t.test('a plan stops if all objects are gone and the key has changed, even for a single object', async (t) => {
  for (const names of [['one'], ['one', 'two']]) {
    const { write, real, other, objects, remove } = await scene(t)
    write(...names)
    await real('apply', '--yes')
    t.match((await other('plan')).stdout, 'No changes.', 'a rotated key of the same account is accepted')
    for (const { id } of await objects()) await remove(id)
    const stopped = await other('apply', '--yes')
    t.match([stopped.code, stopped.stderr], [1, /\[plan\.all-gone\][\s\S]*the key is not the one/])
    t.same(await objects(), [])
    t.match(
      (await real('plan')).stdout,
      `Plan: ${names.length} to create.`,
      'with the same key, the objects count as removed',
    )
    t.equal((await other('apply', '--yes', '--recreate', 'claude')).code, 0)
    t.match((await other('plan')).stdout, 'No changes.')
  }
})

t.test(
  'state of the emulator needs --recreate on the real service, unless its objects were destroyed before',
  async (t) => {
    const { write, real, trying, objects, requests } = await scene(t)
    write('one', 'two')
    await trying('apply', '--yes')
    const stopped = await real('plan')
    t.match([stopped.code, stopped.stderr], [1, /\[plan\.other-account\][\s\S]*add --recreate claude/])
    const count = (await requests()).length
    t.match((await real('plan', '--recreate', 'claude')).stdout, 'Plan: 2 to create.')
    const sent = (await requests()).slice(count)
    const isOfEmulator = (await objects()).some(({ id }) => sent.some(({ path }) => path.includes(id)))
    t.notOk(isOfEmulator, 'no request contains ids of the emulator')
    t.equal((await real('apply', '--yes', '--recreate', 'claude')).code, 0)
    t.match((await real('plan')).stdout, 'No changes.')
    t.equal((await objects()).length, 4)

    const back = await trying('plan')
    t.match([back.code, back.stderr], [1, /made on the real service[\s\S]*another name/])

    const cleared = await scene(t)
    cleared.write('one')
    await cleared.trying('apply', '--yes')
    await cleared.trying('destroy', '--yes')
    t.match((await cleared.real('plan')).stdout, 'Plan: 1 to create.')
    t.equal((await cleared.real('apply', '--yes')).code, 0)
    t.match((await cleared.real('plan')).stdout, 'No changes.')
  },
)

t.test('if the emulator lost its objects, the plan explains that and names --data', async (t) => {
  for (const names of [['one'], ['one', 'two', 'three']]) {
    const { write, trying, objects, remove } = await scene(t)
    write(...names)
    await trying('apply', '--yes')
    for (const { id } of await objects()) await remove(id)
    const { code, stdout, stderr } = await trying('plan')
    t.match(stderr, 'An emulator forgets everything when it ends')
    t.match(stderr, 'agents emulate --data')
    t.notMatch(stdout, 'the declaration changed')
    if (names.length < 3) t.match([code, stdout], [0, '(no longer there)'])
    else t.match([code, stderr], [1, '--recreate claude'])
    t.equal((await trying('apply', '--yes', '--recreate', 'claude')).code, 0)
    t.match((await trying('plan')).stdout, 'No changes.')
  }
})

t.test('sync and import refuse a state of another server', async (t) => {
  const { write, writeAt, read, real } = await scene(t)
  const elsewhere = await emulate(t)
  write('one')
  t.equal((await real('apply', '--yes')).code, 0)
  await elsewhere.seed({ provider: 'claude', kind: 'environment', id: 'env_of_others' })
  writeAt(elsewhere.url, 'one')
  const before = read()
  for (const words of [
    ['sync', '--check'],
    ['sync'],
    ['sync', '--import'],
    ['import', 'claude.environment.other', 'env_of_others'],
  ]) {
    const { code, stderr } = await real(...words)
    t.match([code, stderr], [1, '[plan.other-account]'], words.join(' '))
    t.equal(read(), before)
  }
})

t.test('sync refuses a state none of whose objects is in the account of another key', async (t) => {
  const { write, real, other, objects, remove, seed, read } = await scene(t)
  write('one')
  await real('apply', '--yes')
  t.equal((await other('sync', '--check')).code, 0, 'a key that was rotated is none of another account')
  for (const { id } of await objects()) await remove(id)
  await seed({ provider: 'claude', kind: 'environment', id: 'env_of_others' })
  const before = read()
  for (const words of [['sync', '--check'], ['sync'], ['sync', '--import']]) {
    const { code, stderr } = await other(...words)
    t.match([code, stderr], [1, /\[plan\.all-gone\][\s\S]*the key is not the one/], words.join(' '))
    t.equal(read(), before)
  }
  t.equal((await real('sync')).code, 0, 'with the same key it was removed')
})
