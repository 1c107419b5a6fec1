// What only Qoder's APIs have: identities of credentials, keys of forward creates, dialects, schedules that stay, tunnels.
import t from 'tap'
import { refusalOf } from '../../../core/conformance/world.js'
import type { SessionRequest } from '../../../core/plugin/sessions.js'
import { all } from '../workbench.js'
import { openForward, openQoder } from './subject.js'

const mcp_server_url = 'https://mcp.example/tracker'
const bearer = { name: 'Tracker', type: 'static_bearer', mcp_server_url, access_token: 'tok_very_secret' }

t.test('the server or variable of a credential cannot be changed, and is unique in its vault', async (t) => {
  const bench = await openQoder(t)
  bench.declare('vault', 'keys', { credentials: [bearer] })
  const { id } = await bench.create('vault', 'keys')
  const part = (await bench.parts('vault', 'keys')).get(`static_bearer ${mcp_server_url}`)
  const path = `/vaults/${id}/credentials`
  const moved = { auth: { type: 'static_bearer', mcp_server_url: 'https://mcp.example/other' } }
  t.equal((await bench.request('POST', `${path}/${part?.['id']}`, moved)).status, 400)
  const twin = { auth: { type: 'static_bearer', mcp_server_url, token: 'x' } }
  t.equal((await bench.request('POST', path, twin)).status, 409)
})

t.test('a forward store is created with an idempotency key', async (t) => {
  const bench = await openForward(t)
  const desired = { name: 'Team notes' }
  const create = () => bench.handler('memory_store').create(bench.call, { desired, sources: new Map(), nonce: 'one' })
  const [first, second] = [await create(), await create()]
  t.equal(first['id'], second['id'], 'a repeated create returns the same store')
})

t.test('versions of the entries of both APIs are read in every dialect', async (t) => {
  for (const open of [openQoder, openForward]) {
    const bench = await open(t)
    bench.declare('memory_store', 'notes', {})
    await bench.create('memory_store', 'notes')
    const id = bench.id('memory_store', 'notes')
    for (const content of ['New.', 'Newer.']) await bench.memories.put(bench.call, id, 'new.md', content)
    await bench.memories.remove(bench.call, id, 'new.md')
    for (const dialect of ['both', 'sdk', 'pages']) {
      await bench.turn({ dialect })
      t.equal((await all(bench.memories.versions?.(bench.call, id, 'new.md'))).length, 3, dialect)
    }
  }
})

t.test('2.16 a schedule that the older API cannot remove is reported with a fix', async (t) => {
  const bench = await openQoder(t)
  const minimal = {
    agent: 'helper',
    environment: 'sandbox',
    initial_events: [{ type: 'user.message', content: 'Go.' }],
  }
  bench.declare('environment', 'sandbox', {})
  bench.declare('agent', 'helper', { model: 'auto', instructions: 'Help.' })
  const schedule = { expression: '0 9 * * 1-5', timezone: 'Europe/Berlin' }
  bench.declare('deployment', 'nightly', { ...minimal, schedule })
  for (const { kind, name } of bench.project.declarations) await bench.create(kind, name)
  await bench.turn({ dialect: 'pages' })
  bench.declare('deployment', 'nightly', minimal)
  t.match(await refusalOf(bench.update('deployment', 'nightly')), [
    { code: 'qoder.schedule-kept', fix: /Remove the deployment and apply/ },
  ])
})

const nothing: SessionRequest = { vaults: [], memoryStores: [], files: [], variables: {} }

t.test('2.6 a managed session is started with the tunnel of its agent, or with another', async (t) => {
  const bench = await openQoder(t)
  const agent = { model: 'auto', instructions: 'Help.', environment: 'sandbox', tunnel: 'office' }
  const declaration = bench.declare('agent', 'helper', agent)
  const scope = { ...bench.scope(declaration), output: (kind: string, name: string) => `${kind} ${name}` }
  t.equal(bench.sessions.request(declaration, nothing, scope)['tunnel_id'], 'tunnel office')
  t.equal(bench.sessions.request(declaration, { ...nothing, tunnel: 'home' }, scope)['tunnel_id'], 'tunnel home')
})
