// Addresses and keys of providers: invalid ones are refused before any call; long waits are reported, and Ctrl-C ends them.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { agents, printed, start } from './program.js'
import { scratchFolder } from './scratch.js'

const address: Readonly<Record<string, string>> = {
  ark: 'base_url',
  bailian: 'base_url',
  claude: 'base_url',
  qoder: 'gateway',
}
const password = 'hunter2-of-a-test'
const wrongAddresses = [
  'not a url',
  'file:///etc/passwd',
  'ftp://example.com',
  `https://somebody:${password}@example.com/v1`,
  `https://example.com/v1?token=${password}`,
]
const wrongKeys = ['key\nwith-a-line-end', 'ключ-from-elsewhere', 'key-with-\u007f-in-it']

for (const [provider, key] of Object.entries(address)) {
  t.test(`${provider}: validate refuses an invalid address or key, with its position in the file`, async (t) => {
    const folder = scratchFolder(t)
    const more = provider === 'bailian' ? ', workspace_id: ws' : ''
    const validated = async (apiKey: string, url: string, isVariable = true) => {
      const written = isVariable ? '"${ADDRESS}"' : JSON.stringify(url)
      const block = `{ api_key: "\${KEY}", ${key}: ${written}${more} }`
      writeFileSync(
        join(folder, 'agents.yaml'),
        `version: "1"\nproviders: { ${provider}: ${block} }\nenvironments: { e: { config: { type: cloud } } }\n`,
      )
      return agents(['validate'], { folder, env: { KEY: apiKey, ADDRESS: url } })
    }
    t.equal((await validated('key-of-a-test', 'https://example.com:8443/v1/')).code, 0)
    const wrong = [
      ...wrongAddresses.map((url) => () => validated('key-of-a-test', url)),
      () => validated('key-of-a-test', wrongAddresses[3] ?? '', false),
      ...wrongKeys.map((apiKey) => () => validated(apiKey, 'https://example.com')),
    ]
    for (const validate of wrong) {
      const { code, stdout, stderr } = await validate()
      t.equal(code, 1)
      t.match(
        stdout + stderr,
        /agents\.yaml:2:\d+: error: .+\[(declaration\.invalid-value|variable\.control-character)\]/,
      )
      t.notMatch(stdout + stderr, password)
    }
  })
}

t.test('a plan warns of an unencrypted address, unless it is this machine', async (t) => {
  const { folder, url } = await served(t, (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[]}')
  })
  // This address reaches the same machine, although its name does not show that.
  write(folder, url.replace('127.0.0.1', '0.0.0.0'))
  const { code, stdout, stderr } = await agents(['plan'], { folder })
  t.equal(code, 0)
  t.match(stdout + stderr, /warning: .+\[plan\.plain-http\]/)
  write(folder, url)
  t.notMatch((await agents(['plan'], { folder })).stderr, /plain-http/)
})

t.test('a long wait is reported on stderr, and one Ctrl-C ends it', async (t) => {
  const writes: string[] = []
  const { folder, url } = await served(t, ({ method = '' }, response) => {
    const isWrite = method !== 'GET'
    if (isWrite) writes.push(method)
    response
      .writeHead(isWrite ? 429 : 200, { 'content-type': 'application/json', 'retry-after': '60' })
      .end(isWrite ? '{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}' : '{"data":[]}')
  })
  write(folder, url)
  const running = start(['apply', '--yes'], { folder })
  await printed(running, 'stderr', 'sent again in')
  running.child.kill('SIGINT')
  const { code, stderr } = await running.ended
  t.not(code, 0)
  t.match(stderr, /claude: POST \/environments failed once \(slow down\); sent again in \d+ s\./)
  t.same(writes, ['POST'], 'no request after the signal')
})

function write(folder: string, url: string): void {
  writeFileSync(
    join(folder, 'agents.yaml'),
    `version: "1"\nproviders: { claude: { api_key: key-of-a-test, base_url: "${url}" } }\nenvironments: { e: { config: { type: cloud } } }\n`,
  )
}

async function served(t: Test, answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // Address of a server that listens on a port.
  return { folder: scratchFolder(t), url: `http://127.0.0.1:${port}` }
}
