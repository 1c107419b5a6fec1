import t from 'tap'
import { isFailure } from '../../../core/plugin/failure.js'
import { environment } from '../../../plugins/ark/environment.js'
import type { EnvironmentBody } from '../../../plugins/kinds/environment.js'
import { Account, declaration, Subject } from './account.js'

const account = await Account.open()
t.teardown(() => account.close())
t.beforeEach(() => account.control('POST', '/reset'))
const subject = new Subject(account, environment)
const declare = (body: EnvironmentBody, name = 'sandbox') => declaration('environment', name, body)

const bare = declare({ config: { type: 'cloud' } })
const full = declare({
  description: 'Runs the checks.',
  config: {
    type: 'cloud',
    networking: {
      type: 'limited',
      allow_mcp_servers: true,
      allow_package_managers: false,
      allowed_hosts: ['b.example.com', 'a.example.com'],
    },
    packages: { pip: ['requests', 'httpx'], apt: ['jq'] },
  },
  metadata: { team: 'platform' },
})

t.test('a created object is read as declared', async (t) => {
  for (const one of [full, declare({ config: { type: 'cloud' } }, 'bare'), declare({}, 'empty')])
    t.strictSame(subject.planned(one, await subject.create(one)), [])
})

t.test('every field can be changed, one at a time', async (t) => {
  const { body } = full
  const variants: readonly EnvironmentBody[] = [
    { ...body, description: 'Runs everything.' },
    { ...body, metadata: { team: 'platform', tier: '2' } },
    { ...body, config: { type: 'cloud', packages: { apt: ['jq'] }, networking: { type: 'unrestricted' } } },
    { ...body, config: { type: 'cloud', packages: { go: ['golang.org/x/tools'] } } },
    { ...body, config: { type: 'cloud', networking: { type: 'limited', allow_package_managers: true } } },
  ]
  for (const variant of variants) {
    await account.control('POST', '/reset')
    const { id } = await subject.create(full)
    const one = declare(variant)
    const before = await environment.read(account.call, String(id))
    t.not(subject.planned(one, before).length, 0)
    t.strictSame(subject.planned(one, await subject.update(String(id), one)), [])
  }
})

t.test('fields that are no longer declared are cleared with explicit empties', async (t) => {
  const { id } = await subject.create(full)
  const remote = await subject.update(String(id), bare)
  t.strictSame(subject.planned(bare, remote), [])
  t.match(remote, {
    description: '',
    config: {
      networking: { type: 'unrestricted', allow_mcp_servers: false, allowed_hosts: [] },
      packages: { pip: [], apt: [] },
    },
  })
  t.strictSame(remote['metadata'], { 'agents.project': 'test', 'agents.resource': 'sandbox' })
})

t.test('a metadata key that survives its removal is emptied', async (t) => {
  await account.knobs({ ignoresNullInMetadata: true })
  const { id } = await subject.create(full)
  const remote = await subject.update(String(id), bare)
  t.match(remote['metadata'], { team: '' })
  t.strictSame(subject.planned(bare, remote), [])
})

t.test('changes by other clients are planned leaf by leaf, and reverted', async (t) => {
  const { id } = await subject.create(full)
  await account.drift(String(id), {
    description: 'changed',
    config: { packages: { apt: ['jq', 'nmap'] }, networking: { allow_package_managers: true } },
    metadata: { owner: 'someone' },
  })
  const drifted = await environment.read(account.call, String(id))
  t.strictSame(subject.planned(full, drifted), [
    'config/networking/allow_package_managers',
    'config/packages/apt',
    'description',
    'metadata/owner',
  ])
  t.strictSame(subject.planned(full, await subject.update(String(id), full)), [])
})

t.test('members that cannot be declared are neither compared nor changed', async (t) => {
  const { id } = await subject.create(full)
  await account.drift(String(id), { config: { env: { LANG: 'C' }, tos: { bucket: 'results' } }, scope: 'account' })
  t.strictSame(subject.planned(full, await environment.read(account.call, String(id))), [])
  const remote = await subject.update(String(id), bare)
  t.match(remote, { config: { env: { LANG: 'C' }, tos: { bucket: 'results' } } })
})

t.test('the name sent is the declared one, reduced to the allowed characters', async (t) => {
  const names = { 'Build Server (EU)': 'build-server-eu', _x: 'env-x', 环境: 'env', 'a.b_c-9': 'a.b_c-9' }
  for (const [name, wire] of Object.entries(names)) {
    const remote = await subject.create(declare({ config: { type: 'cloud' }, name }))
    t.equal(remote['name'], wire)
  }
  const long = await subject.create(declare({ config: { type: 'cloud' } }, 'x'.repeat(90)))
  t.equal(String(long['name']).length, 64)
})

for (const status of [409, 400])
  t.test(`a name in use gets a suffix, when the server refuses it with ${status}`, async (t) => {
    await account.knobs({ nameConflictStatus: status })
    const seed = (name: string) =>
      account.control('POST', '/objects', { provider: 'ark', kind: 'environment', body: { name } })
    await seed('sandbox')
    await seed('sandbox-1')
    const remote = await subject.create(bare)
    t.equal(remote['name'], 'sandbox-2')
    t.strictSame(subject.planned(bare, remote), [])
  })

t.test('after fifteen suffixes the conflict is reported', async (t) => {
  for (let index = 0; index <= 15; index++) await subject.create(bare)
  const refused = await subject.create(bare).catch((error: unknown) => error)
  t.ok(isFailure(refused, 'nameTaken'))
})

t.test('an update does not send the name, unless the declared name changed', async (t) => {
  await subject.create(bare)
  const { id } = await subject.create(bare)
  await subject.update(String(id), full)
  const sent = (await account.requests('POST')).filter(({ path }) => path === `/environments/${id}`)
  t.equal(sent.length, 1)
  t.notOk('name' in (sent[0]?.body ?? {}))

  const renamed = declare({ ...full.body, name: 'Renamed' })
  const remote = await subject.update(String(id), renamed, subject.desired(full))
  t.equal(remote['name'], 'renamed')
  const sibling = declare({ ...full.body, name: 'sandbox' })
  t.equal((await subject.update(String(id), sibling, subject.desired(renamed)))['name'], 'sandbox-1')
})

t.test('a removed environment is gone', async (t) => {
  const { id } = await subject.create(bare)
  await environment.remove(account.call, String(id))
  const gone = await environment.read(account.call, String(id)).catch((error: unknown) => error)
  t.ok(isFailure(gone, 'gone'))
})

t.test('lists include all pages and enough members to compare', async (t) => {
  for (let index = 0; index < 103; index++)
    await account.client.create('/environments', { name: `env-${index}`, config: { type: 'cloud' } })
  const listed: unknown[] = []
  for await (const remote of environment.list?.(account.call) ?? []) listed.push(remote['name'])
  t.equal(new Set(listed).size, 103)
})

t.test('the emulator refuses what the server refuses', async (t) => {
  const { id } = await subject.create(bare)
  const refused: readonly (readonly [string, string, object | undefined, number])[] = [
    ['POST', '/environments', { name: 'Upper', config: { type: 'cloud' } }, 400],
    ['POST', '/environments', { name: 'ok-name', config: { type: 'cloud' }, colour: 'red' }, 400],
    ['POST', '/environments', { name: 'ok-name', config: { type: 'cloud', env: { ARK_KEY: 'x' } } }, 400],
    [
      'POST',
      '/environments',
      { name: 'ok-name', config: { type: 'cloud', networking: { type: 'limited', allowed_hosts: ['https://a.b'] } } },
      400,
    ],
    ['POST', '/environments', { name: 'sandbox', config: { type: 'cloud' } }, 409],
    ['PUT', `/environments/${id}`, { description: 'x' }, 404],
    ['GET', '/environments/env-unknown', undefined, 404],
    ['GET', '/environments?limit=101', undefined, 400],
    ['GET', '/environments?page=nonsense', undefined, 400],
  ]
  for (const [method, path, body, status] of refused) {
    const answer = await account.raw(method, path, body as never)
    t.equal(answer.status, status, `${method} ${path}`)
    t.match(answer.body, { error: { code: String, message: String } })
  }
  const clash = await account.raw('POST', '/environments', { name: 'sandbox' })
  t.match(clash.body, {
    error: { code: 'ResourceConflict', message: 'name: "sandbox" already exists in project "default"' },
  })
  t.equal((await account.raw('GET', '/environments', undefined, '')).status, 401)
})
