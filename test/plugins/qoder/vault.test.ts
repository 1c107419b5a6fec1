// What identifies a credential in Qoder's managed API.
import t from 'tap'
import { openQoder } from './subject.js'

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
