// The first plan of a project sends at least one request to each provider, so that a wrong key or address is detected then.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

/** Refuses every key, like the four services. */
async function refusing(t: Test): Promise<{ readonly url: string; readonly requests: string[] }> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response
      .writeHead(401, { 'content-type': 'application/json' })
      .end('{"error":{"type":"authentication_error","code":"Unauthorized","message":"invalid key"}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

const address: Readonly<Record<string, string>> = { qoder: 'gateway' }

const projects: Readonly<Record<string, string>> = {
  'an environment': 'environments: { base: { config: { type: cloud } } }\n',
  'a skill alone': 'skills: { review: { source: ./review } }\n',
  'a file alone': 'files: { handbook: { source: ./handbook.md } }\n',
}

for (const provider of ['bailian', 'qoder', 'claude', 'ark'])
  for (const [what, text] of Object.entries(projects))
    t.test(`a wrong key of ${provider} makes the first plan of ${what} fail`, async (t) => {
      const { url, requests } = await refusing(t)
      const folder = scratchFolder(t)
      mkdirSync(join(folder, 'review'))
      writeFileSync(join(folder, 'review', 'SKILL.md'), '---\nname: review\ndescription: Reviews.\n---\nReview.\n')
      writeFileSync(join(folder, 'handbook.md'), 'Read.\n')
      const workspace = provider === 'bailian' ? ', workspace_id: w' : ''
      writeFileSync(
        join(folder, 'agents.yaml'),
        `version: "1"\nproviders: { ${provider}: { api_key: "\${KEY}", ${address[provider] ?? 'base_url'}: "${url}"${workspace} } }\n${text}`,
      )
      const { code, stderr } = await agentsHere(['plan'], { folder, env: { KEY: 'wrong-key' } })
      t.equal(code, 1)
      t.match(stderr, /\[provider\.denied\]/)
      t.ok(requests.length > 0 && requests.length < 5, `${requests.length} requests`)
      t.ok(requests.every((line) => line.startsWith('GET ')))
    })
