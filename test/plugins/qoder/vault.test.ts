// Vaults and credentials of Qoder's managed API, against the emulator.
import t from 'tap'
import { openQoder } from './subject.js'

const bearer = {
  name: 'Tracker',
  type: 'static_bearer',
  mcp_server_url: 'https://mcp.example/tracker',
  access_token: 'tok_very_secret',
  protocol: 'sse',
} as const
const variable = {
  name: 'GitHub token',
  type: 'environment_variable',
  secret_name: 'GITHUB_TOKEN',
  secret_value: 'ghp_very_secret',
  networking: { type: 'limited', allowed_hosts: ['api.github.com'] },
} as const
const plain = {
  name: 'Plain',
  type: 'environment_variable',
  secret_name: 'PLAIN',
  secret_value: 'also_secret',
} as const
const full = { display_name: 'Team keys', credentials: [bearer, variable, plain], metadata: { team: 'data' } }
const bearerKey = `static_bearer ${bearer.mcp_server_url}`
const variableKey = 'environment_variable GITHUB_TOKEN'

t.test('a vault and its credentials just created need no change', async (t) => {
  const bench = await openQoder(t)
  bench.declare('vault', 'keys', full)
  bench.declare('vault', 'empty', {})
  await bench.create('vault', 'keys')
  await bench.create('vault', 'empty')
  t.same(await bench.drift('vault', 'keys'), [])
  t.same(await bench.drift('vault', 'empty'), [])
  t.equal(bench.remote('vault', 'empty')['display_name'], 'empty', 'the key is the default of the name')
  t.same([...(await bench.parts('vault', 'keys')).keys()].sort(), [
    variableKey,
    'environment_variable PLAIN',
    bearerKey,
  ])
  t.equal((await bench.listed('vault')).length, 2)
})

t.test('2.7 allowed hosts limit a secret, and "*" counts as unrestricted', async (t) => {
  const bench = await openQoder(t)
  const named = (name: string, networking: object) => ({ ...plain, name, secret_name: name, networking })
  bench.declare('vault', 'keys', {
    credentials: [
      named('HOSTS', { allowed_hosts: ['a.example'] }),
      named('STAR', { type: 'limited', allowed_hosts: ['*'] }),
      named('OPEN', { type: 'unrestricted', allowed_hosts: ['a.example'] }),
    ],
  })
  await bench.create('vault', 'keys')
  t.same(await bench.drift('vault', 'keys'), [])
  const parts = await bench.parts('vault', 'keys')
  const network = (name: string) => parts.get(`environment_variable ${name}`)?.['auth']
  t.match(network('HOSTS'), { networking: { type: 'limited', allowed_hosts: ['a.example'] } })
  t.match(network('STAR'), { networking: { type: 'unrestricted' } })
  t.match(network('OPEN'), { networking: { type: 'unrestricted' } })
})

t.test('every field of a vault and of its credentials can be changed and cleared', async (t) => {
  const bench = await openQoder(t)
  bench.declare('vault', 'keys', full)
  await bench.create('vault', 'keys')
  const withBearer = (change: object) => ({ ...full, credentials: [{ ...bearer, ...change }, variable, plain] })
  const withVariable = (change: object) => ({ ...full, credentials: [bearer, { ...variable, ...change }, plain] })
  const changes = [
    { ...full, display_name: 'Other' },
    { ...full, display_name: undefined },
    { ...full, metadata: { owner: 'me' } },
    { ...full, metadata: undefined },
    withBearer({ mcp_server_url: 'https://mcp.example/other' }),
    withVariable({ secret_name: 'OTHER' }),
    withVariable({ networking: { type: 'limited', allowed_hosts: ['github.com'] } }),
    withVariable({ networking: undefined }),
    { ...full, credentials: [bearer] },
    { ...full, credentials: undefined },
    full,
  ]
  for (const body of changes) {
    bench.declare('vault', 'keys', body)
    t.not((await bench.drift('vault', 'keys')).length, 0, 'the plan shows the change')
    t.same(await bench.update('vault', 'keys'), [], 'the second plan is empty')
  }
})

t.test('a credential keeps its id when its secret changes, and the vault its own', async (t) => {
  const bench = await openQoder(t)
  bench.declare('vault', 'keys', full)
  const { id } = await bench.create('vault', 'keys')
  const before = (await bench.parts('vault', 'keys')).get(bearerKey)
  bench.declare('vault', 'keys', { ...full, credentials: [{ ...bearer, access_token: 'rotated' }, variable, plain] })
  t.same(await bench.update('vault', 'keys'), [])
  const after = (await bench.parts('vault', 'keys')).get(bearerKey)
  t.equal(after?.['id'], before?.['id'])
  t.equal(bench.id('vault', 'keys'), id)
  const sent = await bench.sent('POST', String(before?.['id']))
  t.strictSame(sent, [{ display_name: 'Tracker', auth: { type: 'static_bearer', token: '(sensitive)' } }])
})

t.test('the server or variable of a credential cannot be changed, and is unique in its vault', async (t) => {
  const bench = await openQoder(t)
  bench.declare('vault', 'keys', full)
  const { id } = await bench.create('vault', 'keys')
  const part = (await bench.parts('vault', 'keys')).get(bearerKey)
  const path = `/vaults/${id}/credentials`
  const moved = { auth: { type: 'static_bearer', mcp_server_url: 'https://mcp.example/other' } }
  t.equal((await bench.request('POST', `${path}/${part?.['id']}`, moved)).status, 400)
  const twin = { auth: { type: 'static_bearer', mcp_server_url: bearer.mcp_server_url, token: 'x' } }
  t.equal((await bench.request('POST', path, twin)).status, 409)
})

t.test('secrets are never returned, and the emulator logs none', async (t) => {
  const bench = await openQoder(t)
  bench.declare('vault', 'keys', full)
  await bench.create('vault', 'keys')
  const answers = JSON.stringify([
    ...(await bench.parts('vault', 'keys')).values(),
    (await bench.request('GET', '/_emulator/requests')).body,
    (await bench.request('GET', '/_emulator/objects')).body,
  ])
  t.match(answers, /GITHUB_TOKEN/)
  t.notMatch(answers, /very_secret|also_secret/)
})

t.test('the fields of secrets are marked as such', async (t) => {
  const bench = await openQoder(t)
  const fields = bench.handler('vault').parts?.fields ?? {}
  for (const path of ['auth/token', 'auth/secret_value']) t.match(fields[path], { secret: true, writeOnly: true })
})

t.test('changes by other clients are planned and reverted', async (t) => {
  const bench = await openQoder(t)
  bench.declare('vault', 'keys', full)
  const { id } = await bench.create('vault', 'keys')
  const part = (await bench.parts('vault', 'keys')).get(variableKey)
  await bench.change(String(id), { display_name: 'by hand' })
  await bench.change(String(part?.['id']), { auth: { networking: { type: 'unrestricted', allowed_hosts: null } } })
  t.same(await bench.drift('vault', 'keys'), [
    'display_name',
    `${variableKey}: auth/networking/allowed_hosts`,
    `${variableKey}: auth/networking/type`,
  ])
  t.same(await bench.update('vault', 'keys'), [])
})

t.test('removing a vault removes its credentials; an archived vault counts as gone', async (t) => {
  const bench = await openQoder(t)
  bench.declare('vault', 'keys', full)
  bench.declare('vault', 'old', {})
  const { id } = await bench.create('vault', 'keys')
  const old = await bench.create('vault', 'old')
  await bench.remove('vault', 'keys')
  t.equal((await bench.request('GET', `/vaults/${id}/credentials`)).status, 404)
  await bench.request('POST', `/vaults/${old['id']}/archive`, {})
  t.equal(await bench.isGone('vault', 'old'), true)
  t.strictSame(await bench.listed('vault'), [])
})
