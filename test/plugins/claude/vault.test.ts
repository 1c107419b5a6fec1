// Vaults and their credentials on Claude, against the emulator.
import t from 'tap'
import { isObject } from '../../../core/value/tree.js'
import { openClaude } from './subject.js'

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
  networking: { allowed_hosts: ['api.github.com', '*.githubusercontent.com'] },
  injection_location: { header: true, body: true },
} as const
const plain = {
  name: 'Plain',
  type: 'environment_variable',
  secret_name: 'PLAIN',
  secret_value: 'also_secret',
} as const
const full = { display_name: 'Team keys', credentials: [bearer, variable, plain], metadata: { team: 'data' } }

t.test('a vault and its credentials just created need no change', async (t) => {
  const bench = await openClaude(t)
  bench.declare('vault', 'keys', full)
  bench.declare('vault', 'empty', {})
  await bench.create('vault', 'keys')
  await bench.create('vault', 'empty')
  t.same(await bench.drift('vault', 'keys'), [])
  t.same(await bench.drift('vault', 'empty'), [])
  t.equal(bench.remote('vault', 'empty')['display_name'], 'empty', 'the key is the default of the name')
})

t.test('2.7 a credential without a policy is sent to every host, in headers only', async (t) => {
  const bench = await openClaude(t)
  const named = (secret_name: string, change: object) => ({ ...plain, secret_name, ...change })
  bench.declare('vault', 'keys', {
    credentials: [
      variable,
      plain,
      named('LEGACY', { networking: { type: 'unrestricted' } }),
      named('STAR', { networking: { type: 'limited', allowed_hosts: ['*'] } }),
      named('LIMITED', { networking: { type: 'limited', allowed_hosts: ['a.example'] } }),
      named('BODY', { injection_location: { header: false, body: true } }),
    ],
  })
  await bench.create('vault', 'keys')
  const parts = await bench.parts('vault', 'keys')
  const policy = (key: string) => {
    const auth = parts.get(key)?.['auth']
    return isObject(auth) ? [auth['networking'], auth['injection_location']] : undefined
  }
  const everywhere = { type: 'unrestricted' }
  const inHeaders = { header: true, body: false }
  t.same(policy('PLAIN'), [everywhere, inHeaders])
  t.same(policy('LEGACY'), [everywhere, inHeaders])
  t.same(policy('STAR'), [everywhere, inHeaders])
  t.same(policy('LIMITED'), [{ type: 'limited', allowed_hosts: ['a.example'] }, inHeaders])
  t.same(policy('BODY'), [everywhere, { header: false, body: true }])
  t.same(policy('GITHUB_TOKEN'), [
    { type: 'limited', allowed_hosts: ['api.github.com', '*.githubusercontent.com'] },
    { header: true, body: true },
  ])
  t.same(await bench.drift('vault', 'keys'), [])
})

t.test('every field of a vault and of its credentials can be changed and cleared', async (t) => {
  const bench = await openClaude(t)
  bench.declare('vault', 'keys', full)
  await bench.create('vault', 'keys')
  const withBearer = (change: object) => ({ ...full, credentials: [{ ...bearer, ...change }, variable, plain] })
  const withVariable = (change: object) => ({ ...full, credentials: [bearer, { ...variable, ...change }, plain] })
  const changes = [
    { ...full, display_name: 'Other' },
    { ...full, display_name: undefined },
    { ...full, metadata: { owner: 'me' } },
    { ...full, metadata: undefined },
    withBearer({ name: 'Other' }),
    withBearer({ mcp_server_url: 'https://mcp.example/other' }),
    withVariable({ name: 'Other' }),
    withVariable({ secret_name: 'OTHER' }),
    withVariable({ networking: { allowed_hosts: ['api.github.com'] } }),
    withVariable({ networking: undefined }),
    withVariable({ injection_location: { header: false, body: true } }),
    withVariable({ injection_location: undefined }),
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

t.test('a credential keeps its id when its secret changes, and what identifies it is not sent again', async (t) => {
  const bench = await openClaude(t)
  bench.declare('vault', 'keys', full)
  await bench.create('vault', 'keys')
  const before = await bench.parts('vault', 'keys')
  bench.declare('vault', 'keys', { ...full, credentials: [{ ...bearer, access_token: 'rotated' }, variable, plain] })
  t.same(await bench.update('vault', 'keys'), [])
  const after = await bench.parts('vault', 'keys')
  t.equal(after.get(bearer.mcp_server_url)?.['id'], before.get(bearer.mcp_server_url)?.['id'])
  const sent = await bench.sent('POST', String(before.get(bearer.mcp_server_url)?.['id']))
  t.same(sent, [{ display_name: 'Tracker', auth: { type: 'static_bearer', token: '(sensitive)' } }])
})

t.test('secrets are never returned, and the emulator logs none', async (t) => {
  const bench = await openClaude(t)
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
  const bench = await openClaude(t)
  const fields = bench.handler('vault').parts?.fields ?? {}
  for (const path of ['auth/token', 'auth/secret_value']) t.match(fields[path], { secret: true, writeOnly: true })
})

t.test('a second credential for the same server is refused as a duplicate, OAuth ones included', async (t) => {
  const bench = await openClaude(t)
  bench.declare('vault', 'keys', { credentials: [] })
  const { id } = await bench.create('vault', 'keys')
  const auth = { type: 'mcp_oauth', mcp_server_url: bearer.mcp_server_url, access_token: 'x' }
  t.equal((await bench.request('POST', `/vaults/${String(id)}/credentials`, { auth })).status, 200)
  t.same([...(await bench.parts('vault', 'keys')).keys()], [`mcp_oauth ${bearer.mcp_server_url}`])
  t.equal((await bench.request('POST', `/vaults/${String(id)}/credentials`, { auth })).status, 409)
  const desired = { auth: { type: 'static_bearer', mcp_server_url: bearer.mcp_server_url, token: 'x' } }
  const make = async () =>
    void (await bench.handler('vault').parts?.create(bench.call, String(id), { key: bearer.mcp_server_url, desired }))
  await t.rejects(make(), { class: 'nameTaken', code: 'conflict_error' })
})

t.test('changes by other clients are planned and reverted', async (t) => {
  const bench = await openClaude(t)
  bench.declare('vault', 'keys', full)
  const { id } = await bench.create('vault', 'keys')
  const part = (await bench.parts('vault', 'keys')).get('GITHUB_TOKEN')
  await bench.change(String(id), { display_name: 'by hand' })
  await bench.change(String(part?.['id']), { auth: { networking: { type: 'unrestricted', allowed_hosts: null } } })
  t.same(await bench.drift('vault', 'keys'), [
    'GITHUB_TOKEN: auth/networking/allowed_hosts',
    'GITHUB_TOKEN: auth/networking/type',
    'display_name',
  ])
  t.same(await bench.update('vault', 'keys'), [])
})

t.test('removing a vault removes its credentials; an archived vault counts as gone', async (t) => {
  const bench = await openClaude(t)
  bench.declare('vault', 'keys', full)
  bench.declare('vault', 'old', {})
  const { id } = await bench.create('vault', 'keys')
  const old = await bench.create('vault', 'old')
  await bench.remove('vault', 'keys')
  t.equal((await bench.request('GET', `/vaults/${String(id)}/credentials`)).status, 404)
  await bench.request('POST', `/vaults/${String(old['id'])}/archive`, {})
  t.equal(await bench.isGone('vault', 'old'), true)
  t.same(await bench.listed('vault'), [])
})
