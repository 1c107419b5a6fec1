// Bearer tokens in vaults of bailian, which the service refuses.
import t from 'tap'
import { openBailian } from './subject.js'

t.test('2.7 a bearer token is sent as declared, and the refusal is permanent', async (t) => {
  const bench = await openBailian(t)
  bench.declare('vault', 'keys', {
    credentials: [
      { name: 'mcp', type: 'static_bearer', mcp_server_url: 'https://mcp.example/sse', access_token: 'very_secret' },
    ],
  })
  await t.rejects(bench.create('vault', 'keys'), { class: 'invalid', code: 'CREDENTIAL_AUTH_TYPE_ERROR' })
})
