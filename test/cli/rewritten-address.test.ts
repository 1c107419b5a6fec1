// A service that stores the address of an MCP server in another form: the credential is known by its id.

import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

const [declared, stored] = ['https://mcp.example.com/v1', 'https://api.example.net/mcp']

/** Passes everything on, and answers with the address in the form in which the service stores it. */
async function rewriting(t: Test, to: string): Promise<string> {
  const proxy = createServer((incoming, response) => {
    const { 'accept-encoding': _, host: __, ...headers } = incoming.headers
    const passed = request(`${to}${incoming.url}`, { method: incoming.method, headers }, async (answer) => {
      let text = ''
      for await (const chunk of answer.setEncoding('utf8')) text += chunk
      const { 'content-length': _length, 'transfer-encoding': _encoding, ...sent } = answer.headers
      response.writeHead(answer.statusCode ?? 0, sent)
      response.end(text.replaceAll(declared, stored))
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void proxy.close())
  const address = proxy.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

t.test('a credential whose address is rewritten is told of once, and updated by its id', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const proxied = await rewriting(t, emulator.url)
  writeFileSync(
    join(folder, 'agents.yaml'),
    `version: "1"
providers: { claude: { api_key: "\${KEY}" } }
vaults:
  v:
    credentials: [{ name: c, type: static_bearer, mcp_server_url: "${declared}", access_token: "\${TOKEN}" }]
`,
  )
  const run = (token: string, ...words: readonly string[]) =>
    agentsHere(words, { folder, env: { STEWARD_EMULATOR: proxied, KEY: 'any', TOKEN: token } })
  t.equal((await run('first-token', 'apply', '--yes')).code, 3)
  t.match((await run('first-token', 'plan')).stdout, /No changes/)
  t.equal((await run('first-token', 'apply', '--yes')).code, 0)
  t.match((await run('other-token', 'plan')).stdout, /1 to update/)
  await run('other-token', 'apply', '--yes')
  t.match((await run('other-token', 'plan')).stdout, /No changes/)
  const writes = (await emulator.requests()).filter(({ method, path }) => method === 'POST' && /credentials/.test(path))
  t.equal(writes.length, 2, 'created once, then updated')
  t.equal((await run('other-token', 'sync', '--check')).code, 0)
  t.equal((await run('other-token', 'destroy', '--yes')).code, 0)
  t.strictSame(await emulator.objects(), [])
})
