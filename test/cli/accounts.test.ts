// Whose objects these are, from outside: a lost state, a key of another account, and the way from trying to real.
import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

type Clean = Parameters<typeof scratchFolder>[0] & Parameters<typeof emulate>[0]

/** Claude, at an address of its own: for the program that is the real service. */
async function scene(t: Clean) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const write = (...names: readonly string[]) => {
    const lines = names.map((name) => `  ${name}: { config: { type: cloud } }\n`).join('')
    const address = `${emulator.url}/claude/v1`
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"\nproviders:\n  claude: { api_key: "\${KEY}", base_url: ${address} }\n${lines && `environments:\n${lines}`}`,
    )
  }
  const real = (...words: readonly string[]) => agentsHere(words, { folder, env: { KEY: 'key-of-one-account' } })
  const other = (...words: readonly string[]) => agentsHere(words, { folder, env: { KEY: 'key-of-another' } })
  const trying = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
  const lose = (...names: readonly string[]) => {
    for (const name of names) rmSync(join(folder, `agents.state.${name}`))
  }
  return { ...emulator, write, real, other, trying, lose }
}

t.test('a plan notices a lost state by the ownership marks, and sync --import binds every object again', async (t) => {
  const { write, real, lose, objects } = await scene(t)
  write('one', 'two')
  t.equal((await real('apply', '--yes')).code, 0)
  lose('json')
  for (const words of [['plan'], ['apply', '--yes']]) {
    const { code, stderr } = await real(...words)
    t.match([code, stderr], [1, /\[plan\.unrecorded\][\s\S]*agents sync --import --provider claude/])
  }
  t.equal((await objects()).length, 2)
  t.equal((await real('sync', '--import', '--provider', 'claude')).code, 0)
  t.match((await real('plan')).stdout, 'No changes.')

  lose('json')
  t.match((await real('plan', '--recreate', 'claude')).stdout, 'Plan: 2 to create.', 'or they are left alone')
  write('three')
  t.match((await real('plan')).stdout, 'Plan: 1 to create.', 'only what is declared is looked for')
})

t.test('a lost state whose backup is there is put back, not begun anew', async (t) => {
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
  t.equal((await real('sync', '--import')).code, 0, 'what exists may be bound either way')
  t.match((await real('plan')).stdout, 'No changes.')
})

t.test('a key that is refused stops the first plan already', async (t) => {
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
  const { code, stderr } = await agentsHere(['plan'], { folder })
  t.match([code, stderr], [1, '[provider.denied]'])
})

t.test('objects that are all gone under another key stop the plan, however few', async (t) => {
  for (const names of [['one'], ['one', 'two']]) {
    const { write, real, other, objects, remove } = await scene(t)
    write(...names)
    await real('apply', '--yes')
    t.match((await other('plan')).stdout, 'No changes.', 'a key that was rotated is none of another account')
    for (const { id } of await objects()) await remove(id)
    const stopped = await other('apply', '--yes')
    t.match([stopped.code, stopped.stderr], [1, /\[plan\.all-gone\][\s\S]*the key is not the one/])
    t.same(await objects(), [])
    t.match((await real('plan')).stdout, `Plan: ${names.length} to create.`, 'with the same key they were removed')
    t.equal((await other('apply', '--yes', '--recreate', 'claude')).code, 0)
    t.match((await other('plan')).stdout, 'No changes.')
  }
})

t.test('from the emulator to the real service: one option, or nothing once the emulator was cleared', async (t) => {
  const { write, real, trying, objects, requests } = await scene(t)
  write('one', 'two')
  await trying('apply', '--yes')
  const stopped = await real('plan')
  t.match([stopped.code, stopped.stderr], [1, /\[plan\.other-account\][\s\S]*add --recreate claude/])
  const count = (await requests()).length
  t.match((await real('plan', '--recreate', 'claude')).stdout, 'Plan: 2 to create.')
  t.equal((await requests()).length, count, 'ids of the emulator are asked of nobody')
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
})

t.test('an emulator that forgot is named as one', async (t) => {
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
