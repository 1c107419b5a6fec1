// Credentials of Claude that others have made by OAuth.
import t from 'tap'
import { openClaude } from './subject.js'

const mcp_server_url = 'https://mcp.example/tracker'

t.test('a second credential for the same server is refused as a duplicate, OAuth ones included', async (t) => {
  const bench = await openClaude(t)
  bench.declare('vault', 'keys', { credentials: [] })
  const { id } = await bench.create('vault', 'keys')
  const auth = { type: 'mcp_oauth', mcp_server_url, access_token: 'x' }
  t.equal((await bench.request('POST', `/vaults/${String(id)}/credentials`, { auth })).status, 200)
  t.same([...(await bench.parts('vault', 'keys')).keys()], [`mcp_oauth ${mcp_server_url}`])
  t.equal((await bench.request('POST', `/vaults/${String(id)}/credentials`, { auth })).status, 409)
  const desired = { auth: { type: 'static_bearer', mcp_server_url, token: 'x' } }
  const make = async () =>
    void (await bench.handler('vault').parts?.create(bench.call, String(id), { key: mcp_server_url, desired }))
  await t.rejects(make(), { class: 'nameTaken', code: 'conflict_error' })
})
