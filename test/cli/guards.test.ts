// Safety rules: objects of other providers and of others are not changed, nothing is recreated by mistake, and secrets are
// not printed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import t from 'tap'
import { emulate, type TestEmulator } from './emulator.js'
import { agentsHere, type RunHere } from './in-process.js'
import { secretEnv, writeProject } from './projects.js'
import { scratchFolder } from './scratch.js'

interface Scene extends TestEmulator {
  readonly folder: string
  write(text: string): void
  run(...words: readonly string[]): Promise<RunHere>
}

async function scene(t: Parameters<typeof scratchFolder>[0] & Parameters<typeof emulate>[0]): Promise<Scene> {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  return {
    ...emulator,
    folder,
    write: (text) => writeFileSync(join(folder, 'agents.yaml'), text),
    run: (...words) => agentsHere(words, { folder, env: { ...emulator.env, ...secretEnv } }),
  }
}

const environments = (...lines: readonly string[]) => `environments:\n${lines.join('\n')}\n`
const cloud = (name: string, more = '') => `  ${name}: { ${more}config: { type: cloud } }`
const providers = (...names: readonly string[]) =>
  `version: "1"\nproviders:\n${names.map((name) => `  ${name}: { api_key: k }\n`).join('')}`
const both = providers('qoder', 'claude')

t.test('--provider limits removals as well as creates', async (t) => {
  const { write, run, objects, requests } = await scene(t)
  const all = `${both}defaults: { provider: all }\n`
  write(all + environments(cloud('one'), cloud('two')))
  t.equal((await run('apply', '--yes')).code, 0)
  const before = (await objects()).filter(({ provider }) => provider === 'claude')
  const count = (await requests()).filter(({ provider }) => provider === 'claude').length

  write(all + environments(cloud('three')))
  const { code, stderr } = await run('apply', '--provider', 'qoder', '--yes')
  t.equal(code, 0)
  t.match(stderr, '2 resources on claude are outside the target of this run')
  t.same(
    (await objects()).filter(({ provider }) => provider === 'claude'),
    before,
  )
  t.equal((await requests()).filter(({ provider }) => provider === 'claude').length, count, 'claude was never called')
  t.same(
    (await objects()).filter(({ provider }) => provider === 'qoder').map(({ name }) => name),
    ['three'],
  )
})

t.test('a changed default provider removes nothing; the old objects stay until --provider names it', async (t) => {
  const { write, run, objects } = await scene(t)
  const text = environments(cloud('one'), cloud('two'))
  write(`${both}defaults: { provider: claude }\n${text}`)
  await run('apply', '--yes')
  write(`${both}defaults: { provider: qoder }\n${text}`)
  const { stdout, stderr } = await run('plan')
  t.match(stdout, 'Plan: 2 to create.')
  t.match(stderr, 'Add --provider claude to include them')
  t.equal((await objects()).length, 2)
  t.match((await run('destroy', '--provider', 'claude', '--yes')).stdout, '2 removed')
  t.same(await objects(), [])
})

t.test('rows of an undeclared provider stop the plan, unless --provider excludes them', async (t) => {
  const { write, run } = await scene(t)
  const text = environments(cloud('one'))
  write(`${both}defaults: { provider: all }\n${text}`)
  await run('apply', '--yes')
  write(providers('qoder') + text)
  const stopped = await run('plan')
  t.equal(stopped.code, 1)
  t.match(stopped.stderr, '[plan.provider-missing]')
  t.match(stopped.stderr, 'agents state rm claude.')
  t.equal((await run('plan', '--provider', 'qoder')).code, 0)
  t.equal((await run('state', 'rm', 'claude.environment.one')).code, 0)
  t.match((await run('plan')).stdout, 'No changes.')
})

t.test('an unknown provider or address is refused with the closest one as suggestion', async (t) => {
  const { write, run } = await scene(t)
  write(`${both}defaults: { provider: all }\n${environments(cloud('workshop'))}`)
  const provider = await run('plan', '--provider', 'qodr')
  t.match([provider.code, provider.stderr], [1, /\[plan\.unknown-provider\][\s\S]*qoder/])
  const address = await run('plan', '--target', 'environment.workshp')
  t.match([address.code, address.stderr], [1, /\[plan\.unknown-address\][\s\S]*workshop/])
})

t.test('three objects that are all gone stop the plan, and --recreate continues', async (t) => {
  const { write, run, objects, remove } = await scene(t)
  // A tunnel is only referred to, and says nothing about whose account it is.
  const tunnel = 'tunnels:\n  office: { tunnel_id: tnl_emulator }\n'
  write(providers('qoder') + environments(cloud('one'), cloud('two'), cloud('three')) + tunnel)
  await run('apply', '--yes')
  for (const { id, kind } of await objects()) if (kind !== 'tunnel') await remove(id)
  const stopped = await run('plan')
  t.equal(stopped.code, 1)
  t.match(stopped.stderr, '[plan.all-gone]')
  t.match((await run('plan', '--recreate', 'qoder')).stdout, 'Plan: 3 to create.')
  t.equal((await run('apply', '--recreate', 'qoder', '--yes')).code, 0)
  t.match((await run('plan')).stdout, 'No changes.')
})

t.test('state made with the emulator is never used with the real service', async (t) => {
  const { write, run, folder } = await scene(t)
  write(providers('qoder') + environments(cloud('one')))
  await run('apply', '--yes')
  const { code, stderr } = await agentsHere(['plan'], { folder })
  t.equal(code, 1)
  t.match(stderr, '[plan.other-account]')
})

t.test(
  '7.1 an external environment is verified and never changed, and removing its declaration is an error',
  async (t) => {
    const { write, run, objects, url, requests } = await scene(t)
    const head = providers('qoder')
    const body = { name: 'theirs', config: { type: 'cloud' } }
    const seeded = await fetch(`${url}/_emulator/objects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'qoder', kind: 'environment', id: 'env_theirs', body }),
    })
    t.ok(seeded.ok)
    const external = environments('  shared: { environment_id: env_theirs, config: { type: cloud } }')
    write(head + external)
    t.equal((await run('apply', '--yes')).code, 0)
    t.match((await run('plan')).stdout, 'No changes.')
    t.notOk(
      (await requests()).some(({ method }) => method !== 'GET'),
      'nothing was written',
    )

    write(head + environments(cloud('shared')))
    const turned = await run('plan')
    t.match([turned.code, turned.stderr], [1, /\[plan\.ownership\][\s\S]*agents state rm qoder\.environment\.shared/])
    write(head)
    const dropped = await run('plan')
    t.match([dropped.code, dropped.stderr], [1, /\[plan\.ownership\][\s\S]*agents state rm qoder\.environment\.shared/])

    t.equal((await run('state', 'rm', 'qoder.environment.shared')).code, 0)
    t.match((await run('plan')).stdout, 'No changes.')
    t.same(await objects(), [], 'no object of the project is left')
    write(head + environments('  shared: { environment_id: env_nobodys, config: { type: cloud } }'))
    t.match(await run('plan'), { code: 1, stderr: '[plan.external-missing]' })
  },
)

t.test('an external reference cannot take over an address that manages another object', async (t) => {
  const { write, run } = await scene(t)
  const head = providers('qoder')
  write(head + environments(cloud('one')))
  await run('apply', '--yes')
  write(head + environments('  one: { environment_id: env_other, config: { type: cloud } }'))
  t.match(await run('plan'), { code: 1, stderr: /\[plan\.managed-became-external\][\s\S]*agents state rm/ })
})

t.test('destroy releases external objects without changing them', async (t) => {
  const { write, run, url, objects } = await scene(t)
  await fetch(`${url}/_emulator/objects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      provider: 'qoder',
      kind: 'environment',
      id: 'env_theirs',
      body: { name: 'theirs', config: { type: 'cloud' } },
    }),
  })
  const external = '  shared: { environment_id: env_theirs, config: { type: cloud } }'
  write(providers('qoder') + environments(external, cloud('ours')))
  await run('apply', '--yes')
  t.equal((await run('destroy', '--yes')).code, 0)
  t.same(await objects(), [])
  const answer = await (await fetch(`${url}/_emulator/objects/env_theirs`)).json()
  t.match(answer, { id: 'env_theirs' }, 'the external object still exists')
  t.notOk(JSON.stringify(answer).includes('"archived":true'))
})

t.test('2.7 a credential of someone else stays, and declaring its key is an error', async (t) => {
  const { folder, run, objects, url } = await scene(t)
  const credentialsOf = async (vault: string) =>
    (await fetch(`${url}/qoder/api/v1/cloud/vaults/${vault}/credentials`, {
      headers: { authorization: 'Bearer k' },
    }).then((answer) => answer.json())) as { data: readonly unknown[] }
  writeProject(folder)
  const text = readFileSync(join(folder, 'agents.yaml'), 'utf8')
  const second = text.replace(
    'agents:\n',
    `      - name: other
        type: static_bearer
        mcp_server_url: https://mcp.example.com
        access_token: \${REPO_TOKEN}
agents:
`,
  )
  await run('apply', '--yes')
  const vault = (await objects()).find(({ kind }) => kind === 'vault')?.id ?? ''
  const made = await fetch(`${url}/qoder/api/v1/cloud/vaults/${vault}/credentials`, {
    method: 'POST',
    headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
    body: JSON.stringify({
      auth: { type: 'environment_variable', secret_name: 'THEIRS', secret_value: 'x' },
    }),
  })
  t.ok(made.ok)
  t.match((await run('plan')).stdout, 'No changes.', 'a foreign credential is no drift')
  writeFileSync(join(folder, 'agents.yaml'), second)
  t.equal((await run('apply', '--yes')).code, 0)
  t.equal((await credentialsOf(vault)).data.length, 3)
  writeFileSync(join(folder, 'agents.yaml'), text)
  t.equal((await run('apply', '--yes')).code, 0)
  t.equal((await credentialsOf(vault)).data.length, 2, 'the declared credential is removed, the foreign one is kept')

  const same = `      - name: theirs
        type: environment_variable
        secret_name: THEIRS
        secret_value: \${REPO_TOKEN}
        networking: { type: limited, allowed_hosts: [example.com] }
agents:
`
  writeFileSync(join(folder, 'agents.yaml'), text.replace('agents:\n', same))
  t.match(await run('apply', '--yes'), { code: 1, stderr: /\[apply\.part-taken\]/ })
  t.equal((await credentialsOf(vault)).data.length, 2)
})

t.test('no secret is in state, plan file, records, traces or errors', async (t) => {
  const { folder, run } = await scene(t)
  const literal = 'written-out-secret-4711'
  writeProject(folder, { instructions: 'Use ${REPO_TOKEN} well.\n' })
  const text = readFileSync(join(folder, 'agents.yaml'), 'utf8')
  writeFileSync(
    join(folder, 'agents.yaml'),
    text.replace(
      'agents:\n',
      `      - { name: other, type: environment_variable, secret_name: OTHER, secret_value: ${literal} }\nagents:\n`,
    ),
  )
  const written: RunHere[] = []
  for (const words of [
    ['plan', '--json', '--out', 'plan.json'],
    ['plan', '--verbose'],
    ['apply', 'plan.json', '--verbose'],
    ['plan', '--json'],
    ['state', 'show', 'qoder.vault.keys'],
    ['apply', '--json', '--yes'],
    ['destroy', '--verbose', '--yes'],
  ]) {
    written.push(await run(...words))
  }
  const printed = written.map(({ stdout, stderr }) => stdout + stderr)
  const files = readdirSync(folder)
    .filter((name) => name !== 'agents.yaml')
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  t.same(
    written.map(({ code }) => code),
    [0, 0, 0, 0, 0, 0, 0],
  )
  for (const secret of [secretEnv.REPO_TOKEN, literal]) {
    t.notOk([...printed, ...files].some((piece) => piece.includes(secret)))
  }
})

t.test('a changed secret is the only update, and its value is never printed', async (t) => {
  const { folder, run, env } = await scene(t)
  writeProject(folder)
  await run('apply', '--yes')
  const { stdout } = await agentsHere(['plan'], { folder, env: { ...env, REPO_TOKEN: 'another-value' } })
  t.match(stdout, 'secret_value: (sensitive) -> (sensitive)')
  t.match(stdout, 'Plan: 1 to update. 2 unchanged.')
})

t.test(
  'an object that the provider rejects after its check is reported, and its dependents are not attempted',
  async (t) => {
    const { folder, run, knobs, write } = await scene(t)
    write(`version: "1"
providers:
  bailian: { api_key: "\${K}", workspace_id: w }
files:
  handbook: { source: ./handbook.md }
`)
    writeFileSync(join(folder, 'handbook.md'), 'Be kind.\n')
    await knobs({ scans: { reads: 1, outcome: 'refused' } })
    const { code, stderr } = await run('apply', '--yes')
    t.match([code, stderr], [3, /\[provider\.rejected\]/])
    t.ok(
      readFileSync(join(folder, 'agents.state.json'), 'utf8').includes('bailian.file.handbook'),
      'its id is recorded',
    )
  },
)

t.test('7.3 a setup script is sent unchanged, so that its failure prevents sessions from starting', async (t) => {
  const { write, run, objects, url } = await scene(t)
  const script = 'set -e\\ntest -d /data || exit 3\\n'
  write(`${providers('qoder')}environments:\n  dev: { config: { type: cloud, setup_script: "${script}" } }\n`)
  t.equal((await run('apply', '--yes')).code, 0)
  const [environment] = await objects()
  const current = await fetch(`${url}/qoder/api/v1/cloud/environments/${environment?.id}`, {
    headers: { authorization: 'Bearer k' },
  })
  t.match(await current.json(), { config: { setup_script: 'set -e\ntest -d /data || exit 3\n' } })
})

t.test('7.12 a destroy whose first read is denied fails at once and removes nothing', async (t) => {
  const { write, run, objects, url, folder } = await scene(t)
  write(providers('qoder') + environments(cloud('one'), cloud('two')))
  await run('apply', '--yes')
  const asked: string[] = []
  const gate = createServer(async (request, response) => {
    if (request.url?.startsWith('/_emulator')) {
      const answer = await fetch(url + request.url)
      return response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    }
    asked.push(request.method ?? '')
    const error = { type: 'authentication_error', message: 'The token was revoked.' }
    return response.writeHead(401).end(JSON.stringify({ type: 'error', error }))
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void gate.close())
  const { port } = gate.address() as AddressInfo
  const { code, stderr } = await agentsHere(['destroy', '--yes'], {
    folder,
    env: { STEWARD_EMULATOR: `http://127.0.0.1:${port}` },
  })
  t.equal(code, 1)
  t.match(stderr, '[provider.denied]')
  t.ok(asked.length > 0 && asked.length <= 2 && asked.every((method) => method === 'GET'), `asked ${asked}`)
  t.equal((await objects()).length, 2)
})
