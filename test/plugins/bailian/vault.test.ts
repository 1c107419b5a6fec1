// Vaults and their credentials on bailian, against the emulator.
import t from 'tap'
import { isObject } from '../../../core/value/tree.js'
import { openBailian } from './subject.js'

const github = {
  name: 'GitHub token',
  type: 'environment_variable',
  secret_name: 'GITHUB_TOKEN',
  secret_value: 'ghp_very_secret',
  networking: { allowed_hosts: ['API.github.com', '*.githubusercontent.com'] },
  injection_location: { header: true, body: true },
}
const plain = { name: 'Plain', type: 'environment_variable', secret_name: 'PLAIN', secret_value: 'also_secret' }
const full = { display_name: 'Team keys', credentials: [github, plain], metadata: { team: 'data' } }

t.test('a vault and its credentials just created need no change', async (t) => {
  const bench = await openBailian(t)
  bench.declare('vault', 'keys', full)
  bench.declare('vault', 'empty', {})
  await bench.create('vault', 'keys')
  await bench.create('vault', 'empty')
  t.same(await bench.drift('vault', 'keys'), [])
  t.same(await bench.drift('vault', 'empty'), [])
  t.equal(bench.remote('vault', 'empty')['display_name'], 'empty', 'the key is the default of the name')
})

t.test('2.7 policies stand inside auth, and a credential without one gets the defaults', async (t) => {
  const bench = await openBailian(t)
  const legacy = { ...plain, secret_name: 'LEGACY', networking: { type: 'unrestricted' } }
  const half = { ...plain, secret_name: 'HALF', injection_location: { header: false } }
  const limited = { ...plain, secret_name: 'LIMITED', networking: { type: 'limited', allowed_hosts: ['a.example'] } }
  bench.declare('vault', 'keys', { credentials: [github, plain, legacy, half, limited] })
  await bench.create('vault', 'keys')
  const parts = await bench.parts('vault', 'keys')
  const policy = (key: string) => {
    const auth = parts.get(key)?.['auth']
    return isObject(auth) ? { networking: auth['networking'], injection_location: auth['injection_location'] } : auth
  }
  const everywhere = { networking: { allowed_hosts: ['*'] }, injection_location: { header: true, body: false } }
  t.same(policy('PLAIN'), everywhere)
  t.same(policy('LEGACY'), everywhere, 'unrestricted means every host, and its type is not sent')
  t.same(policy('HALF'), { ...everywhere, injection_location: { header: false, body: false } })
  t.same(policy('LIMITED'), { ...everywhere, networking: { allowed_hosts: ['a.example'] } })
  t.same(policy('GITHUB_TOKEN'), {
    networking: { allowed_hosts: ['api.github.com', '*.githubusercontent.com'] },
    injection_location: { header: true, body: true },
  })
  t.same(await bench.drift('vault', 'keys'), [])
})

t.test('every field of a vault and of a credential can be changed', async (t) => {
  const bench = await openBailian(t)
  bench.declare('vault', 'keys', full)
  await bench.create('vault', 'keys')
  const withGithub = (change: object) => ({ ...full, credentials: [{ ...github, ...change }, plain] })
  const changes = [
    { ...full, display_name: 'Other' },
    { ...full, metadata: { owner: 'me' } },
    { ...full, metadata: undefined },
    withGithub({ name: 'Other' }),
    withGithub({ networking: { allowed_hosts: ['api.github.com'] } }),
    withGithub({ networking: undefined }),
    withGithub({ injection_location: { header: false } }),
    withGithub({ injection_location: undefined }),
    { ...full, credentials: [...full.credentials, { ...plain, secret_name: 'NEW' }] },
  ]
  for (const body of changes) {
    bench.declare('vault', 'keys', body)
    t.not((await bench.drift('vault', 'keys')).length, 0, 'the plan shows the change')
    t.same(await bench.update('vault', 'keys'), [], 'the second plan is empty')
  }
})

t.test('a new secret value is sent, the immutable name is not', async (t) => {
  const bench = await openBailian(t)
  bench.declare('vault', 'keys', full)
  await bench.create('vault', 'keys')
  bench.declare('vault', 'keys', { ...full, credentials: [{ ...github, secret_value: 'rotated' }, plain] })
  await bench.update('vault', 'keys')
  const log = await bench.request('GET', '/_emulator/requests')
  const updates = (log.body['requests'] as { method: string; path: string; body: unknown }[]).filter(
    ({ method, path }) => method === 'POST' && /\/credentials\/./.test(path),
  )
  t.match(updates[0]?.body, { auth: { type: 'environment_variable', secret_value: '(sensitive)' } })
  t.notMatch(updates[0]?.body, { auth: { secret_name: /./ } }, 'the immutable name is not sent again')
})

t.test('secrets are never returned', async (t) => {
  const bench = await openBailian(t)
  bench.declare('vault', 'keys', full)
  await bench.create('vault', 'keys')
  const vault = `/vaults/${bench.id('vault', 'keys')}`
  const [part] = (await bench.parts('vault', 'keys')).values()
  for (const path of [`${vault}/credentials`, `${vault}/credentials/${part?.['id']}`, '/_emulator/requests'])
    t.notMatch(JSON.stringify((await bench.request('GET', path)).body), /very_secret|also_secret/)
})

t.test('changes by other clients are planned leaf by leaf, and reverted', async (t) => {
  const bench = await openBailian(t)
  bench.declare('vault', 'keys', full)
  await bench.create('vault', 'keys')
  const credential = (await bench.parts('vault', 'keys')).get('GITHUB_TOKEN')
  const path = `/_emulator/objects/${credential?.['id']}`
  await bench.request('PATCH', path, {
    auth: { networking: { allowed_hosts: ['*'] }, injection_location: { body: false } },
  })
  t.same(await bench.drift('vault', 'keys'), [
    'GITHUB_TOKEN: auth/injection_location/body',
    'GITHUB_TOKEN: auth/networking/allowed_hosts',
  ])
  t.same(await bench.update('vault', 'keys'), [])
  await bench.request('PATCH', path, {
    auth: { networking: { allowed_hosts: ['*.GITHUBusercontent.com', 'api.github.com'] } },
  })
  t.same(await bench.drift('vault', 'keys'), [], 'order and case of hosts are ignored')
})

t.test('credentials are removed before their vault, because they would remain', async (t) => {
  const bench = await openBailian(t)
  bench.declare('vault', 'keys', full)
  await bench.create('vault', 'keys')
  const vault = `/vaults/${bench.id('vault', 'keys')}`
  const ids = [...(await bench.parts('vault', 'keys')).values()].map(({ id }) => id)
  await bench.remove('vault', 'keys')
  t.match(await bench.request('GET', vault), { status: 404 })
  for (const id of ids) t.match(await bench.request('GET', `${vault}/credentials/${id}`), { status: 404 })
})

t.test('2.7 a bearer token is sent as declared, and the refusal is permanent', async (t) => {
  const bench = await openBailian(t)
  bench.declare('vault', 'keys', {
    credentials: [
      { name: 'mcp', type: 'static_bearer', mcp_server_url: 'https://mcp.example/sse', access_token: 'very_secret' },
    ],
  })
  await t.rejects(bench.create('vault', 'keys'), { class: 'invalid', code: 'CREDENTIAL_AUTH_TYPE_ERROR' })
})
