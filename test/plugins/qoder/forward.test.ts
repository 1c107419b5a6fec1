// Environments and vaults of Qoder's forward API, where they differ from the managed one.
import t from 'tap'
import { openForward } from './subject.js'

const box = {
  name: 'Build box',
  description: 'For builds',
  config: { type: 'cloud', packages: { pip: ['httpx', 'rich'] }, setup_script: 'echo ready\n' },
  metadata: { team: 'data' },
} as const
const bearer = {
  name: 'Tracker',
  type: 'static_bearer',
  mcp_server_url: 'https://mcp.example/tracker',
  access_token: 'tok_very_secret',
} as const
const keys = { display_name: 'Team keys', credentials: [bearer], metadata: { team: 'data' } }
const bearerKey = `static_bearer ${bearer.mcp_server_url}`

t.test('no network of a forward environment is sent', async (t) => {
  const bench = await openForward(t)
  const bodies = {
    full: box,
    bare: {},
    open: { config: { type: 'cloud', networking: { type: 'unrestricted' } } },
  }
  for (const [name, body] of Object.entries(bodies)) {
    bench.declare('environment', name, body)
    await bench.create('environment', name)
  }
  for (const { config } of await bench.sent('POST', '/environments')) t.notMatch(JSON.stringify(config), /networking/)
})

t.test('a forward environment that a template uses is in use', async (t) => {
  const bench = await openForward(t)
  bench.declare('environment', 'box', box)
  const { id } = await bench.create('environment', 'box')
  const template = await bench.seed('agent', { environment_id: String(id) }, { api: 'forward' })
  await t.rejects(bench.remove('environment', 'box'), { class: 'inUse', code: 'environment_in_use' })
  await bench.request('POST', `/templates/${template}/archive`)
  await bench.remove('environment', 'box')
  t.strictSame(await bench.listed('environment'), [])
})

t.test('a forward vault just created needs no change, and is replaced when it does', async (t) => {
  const bench = await openForward(t)
  bench.declare('vault', 'keys', keys)
  await bench.create('vault', 'keys')
  t.same(await bench.drift('vault', 'keys'), [])
  const { fields, update, parts, replace } = bench.handler('vault')
  t.strictSame(
    [update, parts?.update, replace],
    [undefined, undefined, 'createFirst'],
    'there is no call to change a vault or a credential',
  )
  for (const path of ['display_name', 'metadata']) t.match(fields[path], { immutable: true }, path)
  bench.declare('vault', 'keys', { ...keys, display_name: 'Other' })
  t.same(await bench.drift('vault', 'keys'), ['display_name'])
})

t.test('a forward credential is replaced under the same key, and its name is not compared', async (t) => {
  const bench = await openForward(t)
  bench.declare('vault', 'keys', keys)
  const { id } = await bench.create('vault', 'keys')
  bench.declare('vault', 'keys', { ...keys, credentials: [{ ...bearer, name: 'Other' }] })
  t.same(await bench.drift('vault', 'keys'), [])
  const parts = bench.handler('vault').parts
  const before = (await bench.parts('vault', 'keys')).get(bearerKey)
  await parts?.remove(bench.call, String(id), String(before?.['id']))
  const auth = { type: 'static_bearer', mcp_server_url: bearer.mcp_server_url, token: 'rotated' }
  await parts?.create(bench.call, String(id), { key: bearerKey, desired: { auth } })
  const after = (await bench.parts('vault', 'keys')).get(bearerKey)
  t.not(after?.['id'], before?.['id'])
  const log = JSON.stringify((await bench.request('GET', '/_emulator/requests')).body)
  t.notMatch(log + JSON.stringify(after), /very_secret|rotated/)
  await bench.remove('vault', 'keys')
  t.strictSame(await bench.listed('vault'), [])
})
