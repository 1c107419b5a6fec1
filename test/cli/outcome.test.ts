// Reported outcomes of an apply are true: values that a provider does not apply, partly created objects, waiting objects,
// and objects that no call can remove.
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { acme } from './acme.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { secretEnv } from './projects.js'
import { scratchFolder } from './scratch.js'

/** A gateway that drops a member from every body on its way to the service, and refuses writes to some paths. */
async function gateway(t: Test, service: string, dropped: string, refused?: RegExp): Promise<string> {
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = []
    for await (const part of request) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const { [dropped]: _dropped, ...rest } = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
    if (refused?.test(request.url ?? '') && request.method === 'POST') {
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"refused"}}')
      return
    }
    const answer = await fetch(service + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
      ...(text === '' ? {} : { body: JSON.stringify(rest) }),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

t.test('a value that the provider does not apply is reported at once, and is no drift afterwards', async (t) => {
  const { providers, write, run } = await acme(t)
  const service = /base_url: (\S+)\/acme\/v1/.exec(providers)?.[1] ?? ''
  const url = await gateway(t, service, 'description')
  const through = providers.replace(service, url)
  const agent = (description: string) =>
    write(`${through}agents:
  helper: { model: small, instructions: Help., description: ${description} }
`)
  for (const description of ['One', 'Two']) {
    agent(description)
    const { code, stdout, stderr } = await run('apply', '--yes')
    t.equal(code, 3)
    t.match(stdout, /partly (created|updated) acme\.agent\.helper.*Not applied by the provider: description/)
    t.match(stderr, /\[apply\.not-taken\]/)
    t.match((await run('state', 'show', 'acme.agent.helper')).stdout, /description \(not taken by the provider\)/)
    const plan = await run('plan', '--detailed-exitcode')
    t.match(
      [plan.code, plan.stderr],
      [0, /\[plan\.not-taken\][\s\S]*has another value since the last apply: description/],
    )
  }
  agent('Three')
  const { code, stdout } = await run('apply', '--yes', '--json')
  t.equal(code, 3)
  t.match(stdout, /"type":"outcome".*"status":"partial".*apply\.not-taken/)
})

t.test('a change done in part is reported as partial, with its reason in the next plan', async (t) => {
  const { providers, write, run } = await acme(t)
  const service = /base_url: (\S+)\/acme\/v1/.exec(providers)?.[1] ?? ''
  const url = await gateway(t, service, 'secret', /\/credentials$/)
  const vault = `vaults:
  keys:
    credentials:
      - { name: issues, type: static_bearer, mcp_server_url: https://issues.example.com/mcp, access_token: abcdefgh }
`
  write(providers.replace(service, url) + vault)
  const { code, stdout } = await run('apply', '--yes')
  t.match([code, stdout], [3, /partly created acme\.vault\.keys[\s\S]*1 done in part/])
  const plan = await run('plan')
  t.match(plan.stdout, /update acme\.vault\.keys {2}\(left open by an earlier run\)/)
  t.notMatch(plan.stdout, 'the declaration changed')
})

t.test('a provider that returns complete objects gets one request per new object', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const env = { ...emulator.env, ...secretEnv }
  const count = 12
  for (const provider of ['claude', 'qoder', 'ark', 'bailian']) {
    const more = provider === 'bailian' ? ', workspace_id: w' : ''
    const model = { claude: 'claude-opus-4-6', qoder: 'auto', ark: 'doubao-seed-1-6-250615', bailian: 'qwen3.7-plus' }[
      provider
    ]
    const agents = Array.from(
      { length: count },
      (_, index) => `  a${index}: { model: ${model}, instructions: Help. }\n`,
    )
    mkdirSync(join(folder, provider))
    writeFileSync(
      join(folder, provider, 'agents.yaml'),
      `version: "1"\nproviders:\n  ${provider}: { api_key: k${more} }\nagents:\n${agents.join('')}`,
    )
    const before = (await emulator.requests()).length
    const { code, stderr } = await agentsHere(['apply', '--yes'], { folder: join(folder, provider), env })
    t.equal(code, 0, stderr)
    const asked = (await emulator.requests()).slice(before).filter((request) => request.provider === provider)
    t.equal(asked.filter(({ method }) => method === 'POST' || method === 'PUT').length, count)
    t.ok(asked.length <= count + 3, `${provider}: ${asked.length} requests`)
  }
})

t.test('objects that no call can remove are forgotten, and not reported as removed', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const env = { ...emulator.env, ...secretEnv }
  mkdirSync(join(folder, 'review'))
  writeFileSync(join(folder, 'review/SKILL.md'), '---\nname: review\ndescription: How\n---\nRead.\n')
  const text = 'version: "1"\nproviders:\n  ark: { api_key: k }\nskills:\n  review: { source: ./review }\n'
  writeFileSync(join(folder, 'agents.yaml'), text)
  t.equal((await agentsHere(['apply', '--yes'], { folder, env })).code, 0)
  const { code, stdout } = await agentsHere(['destroy', '--yes'], { folder, env })
  t.equal(code, 0)
  t.match(stdout, /left behind; the provider cannot remove it[\s\S]*forgotten ark\.skill\.review/)
  t.notMatch(stdout, /removed/)
})
