// External references on every provider that supports them: verified, recorded, never changed, and released only by
// `agents state rm`.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { scratchFolder } from './scratch.js'

interface Case {
  readonly kind: string
  readonly provider: string
  readonly keys: readonly string[]
  /** Object as somebody else created it; absent where no call shows the object. */
  readonly held?: { readonly api?: string; readonly body: object }
  /** Body of a declaration with this id. */
  body(id: string): string
  /** Body of a declaration without an id, where one may be managed. */
  readonly managed?: string
}

const sections: Readonly<Record<string, string>> = {
  environment: 'environments',
  identity: 'identities',
  tunnel: 'tunnels',
}
const environment = {
  kind: 'environment',
  held: { body: { name: 'theirs', config: { type: 'cloud' } } },
  body: (id: string) => `{ environment_id: ${id}, config: { type: cloud } }`,
  managed: '{ config: { type: cloud } }',
} as const

const cases: Readonly<Record<string, Case>> = {
  '2.5 7.1 an environment on ark': { ...environment, provider: 'ark', keys: ['api_key'] },
  '2.5 7.1 an environment on bailian': { ...environment, provider: 'bailian', keys: ['api_key', 'workspace_id'] },
  '2.5 7.1 an environment on claude': { ...environment, provider: 'claude', keys: ['api_key'] },
  '2.5 7.1 an environment of the managed API of qoder': { ...environment, provider: 'qoder', keys: ['api_key'] },
  '2.5 7.1 an environment of the forward API of qoder': {
    ...environment,
    provider: 'qoder',
    keys: ['api_key'],
    held: { ...environment.held, api: 'forward' },
  },
  '2.2 an identity on qoder': {
    kind: 'identity',
    provider: 'qoder',
    keys: ['api_key'],
    held: { api: 'forward', body: { external_id: 'them', name: 'Them' } },
    body: (id) => `{ identity_id: ${id} }`,
    managed: '{ external_id: them }',
  },
  '2.6 a tunnel on qoder': {
    kind: 'tunnel',
    provider: 'qoder',
    keys: ['api_key'],
    body: (id) => `{ tunnel_id: ${id} }`,
  },
}

for (const [title, { kind, provider, keys, held, body, managed }] of Object.entries(cases)) {
  t.test(`${title} is recorded and never changed, and removing its declaration is an error`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const ask = async (path: string, more?: object) => {
      const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(more) }
      return (await fetch(`${emulator.url}/_emulator/objects${path}`, more ? json : {})).json() as Promise<{
        id: string
      }>
    }
    const { id } = held ? await ask('', { provider, kind, ...held }) : { id: 'tnl_emulator' }
    const before = held && (await ask(`/${id}`))
    const head = `version: "1"\nproviders:\n  ${provider}: { ${keys.map((key) => `${key}: "\${${key.toUpperCase()}}"`).join(', ')} }\n`
    const write = (written = '') =>
      writeFileSync(
        join(folder, 'agents.yaml'),
        head + (written === '' ? '' : `${sections[kind]}:\n  theirs: ${written}\n`),
      )
    const run = (words: string) => agentsHere(words.split(' '), { folder, env: { ...emulator.env } })
    const address = `${provider}.${kind}.theirs`
    const release = new RegExp(`\\[plan\\.ownership\\][\\s\\S]*agents state rm ${address}\\n`)

    write(body(id))
    const applied = await run('apply --yes')
    t.equal(applied.code, 0, applied.stderr)
    t.match(applied.stdout, `recorded ${address}`)
    t.equal(
      applied.stdout.includes('only its use can show'),
      held === undefined,
      'a reference that cannot be verified is reported',
    )
    t.match((await run('plan')).stdout, 'No changes.')
    t.match((await run(`state show ${address} --json`)).stdout, `"id":"${id}"`)
    if (held) {
      write(body('no_such_object'))
      t.match(await run('plan'), { code: 1, stderr: '[plan.external-missing]' }, 'the reference is verified')
    }
    if (managed !== undefined) {
      write(managed)
      t.match(await run('plan'), { code: 1, stderr: release }, 'only the id is removed')
    }
    write()
    t.match(await run('apply --yes'), { code: 1, stderr: release }, 'the whole declaration is removed')
    t.equal((await run(`state rm ${address}`)).code, 0)
    t.match((await run('plan')).stdout, 'No changes.')

    write(body(id))
    await run('apply --yes')
    t.equal((await run('destroy --yes')).code, 0)
    if (held) t.same(await ask(`/${id}`), before, 'the object is unchanged')
    t.same(
      (await emulator.requests()).filter(({ method }) => method !== 'GET'),
      [],
    )
  })
}

for (const [provider, model, keys] of [
  ['bailian', 'qwen3.8-max', ['api_key', 'workspace_id']],
  ['qoder', 'auto', ['api_key']],
  ['claude', 'claude-sonnet-4-5', ['api_key']],
  ['ark', 'doubao-seed-2-1-pro-260628', ['api_key']],
] as const)
  t.test(`2.15 a member outside the project is verified before anything is created: ${provider}`, async (t) => {
    const folder = scratchFolder(t)
    const emulator = await emulate(t)
    const write = (id: string, description: string) =>
      writeFileSync(
        join(folder, 'agents.yaml'),
        `version: "1"\nproviders:\n  ${provider}: { ${keys.map((key) => `${key}: "\${${key.toUpperCase()}}"`).join(', ')} }\nagents:\n  lead:\n    { model: ${model}, instructions: Lead., description: ${description}, multiagent: { agents: [{ agent_id: ${id} }] } }\n`,
      )
    const run = (words: string) => agentsHere(words.split(' '), { folder, env: { ...emulator.env } })
    write('agent_nobody', 'first')
    for (const words of ['plan', 'apply --yes']) {
      const { code, stderr } = await run(words)
      t.equal(code, 1)
      t.match(stderr, /agents\.yaml:5:3: error: .*\[plan\.outside-missing\][\s\S]*agent_nobody/)
    }
    t.strictSame(await emulator.objects(), [], 'nothing was created')

    const made = await fetch(`${emulator.url}/_emulator/objects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider, kind: 'agent' }),
    })
    const { id } = (await made.json()) as { id: string }
    write(id, 'first')
    const applied = await run('apply --yes')
    t.equal(applied.code, 0, applied.stderr)
    t.match((await run('plan')).stdout, 'No changes.')
    write('agent_nobody', 'second')
    t.match(await run('plan'), { code: 1, stderr: '[plan.outside-missing]' }, 'updates are verified too')
  })
