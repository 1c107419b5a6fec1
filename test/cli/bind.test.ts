// `import`, `sync` and `state mv` on all four emulators over HTTP: objects are bound to addresses, ownership marks are
// updated, and rosters and metadata are imported unchanged.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

interface Account {
  readonly head: string
  readonly model: string
  /** True if deleted agents are archived and remain visible; on other providers they disappear at once. */
  readonly archives?: true
}

const accounts = {
  bailian: { head: '  bailian:\n    api_key: ${KEY}\n    workspace_id: w\n', model: 'qwen3.7-plus', archives: true },
  qoder: { head: '  qoder:\n    api_key: ${KEY}\n', model: 'auto', archives: true },
  claude: { head: '  claude:\n    api_key: ${KEY}\n', model: 'claude-sonnet-4-5', archives: true },
  ark: { head: '  ark:\n    api_key: ${KEY}\n', model: 'doubao-seed' },
} as const satisfies Readonly<Record<string, Account>>

async function open(t: Test, { head, model }: Account) {
  const emulator = await emulate(t)
  const folder = scratchFolder(t)
  const file = join(folder, 'agents.yaml')
  const top = `version: "1"\nproviders:\n${head}`
  const agents = (names: Readonly<Record<string, string>>) =>
    `${top}agents:\n${Object.entries(names)
      .map(([name, more]) => `  ${name}: { model: ${model}, instructions: Work as ${name}.${more} }\n`)
      .join('')}`
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: emulator.env })
  const idOf = async (address: string) => {
    const rows = records((await run('state', 'list', '--json')).stdout)
    return String(rows.find((row) => row['address'] === address)?.['id'])
  }
  return {
    emulator,
    top,
    agents,
    run,
    idOf,
    read: () => readFileSync(file, 'utf8'),
    write: (text: string) => writeFileSync(file, text),
  }
}

for (const [provider, account] of Object.entries<Account>(accounts)) {
  const team = { member: '', lead: ', multiagent: { agents: [member] }' }

  t.test(
    `${provider}: state mv keeps the object and corrects its mark, and rosters refer to the new name`,
    async (t) => {
      const { agents, write, run, idOf } = await open(t, account)
      write(agents(team))
      t.equal((await run('apply', '--yes')).code, 0)
      const id = await idOf(`${provider}.agent.member`)
      write(agents({ helper: '', lead: ', multiagent: { agents: [helper] }' }).replace('as helper', 'as member'))
      t.equal((await run('state', 'mv', 'agent.member', 'agent.helper')).code, 0)
      const changes = records((await run('plan', '--json')).stdout).filter(({ type }) => type === 'change')
      t.notOk(
        changes.find(({ action }) => action !== 'update'),
        'nothing is made or removed',
      )
      t.equal((await run('apply', '--yes')).code, 0)
      t.equal(await idOf(`${provider}.agent.helper`), id)
      t.match((await run('plan')).stdout, 'No changes. 2 resources as declared.')
      const lost = await run('state', 'rm', `${provider}.agent.helper`, `${provider}.agent.lead`)
      t.equal(lost.code, 0)
      t.equal((await run('sync', '--import')).code, 0, 'the mark has the new name')
      t.equal(await idOf(`${provider}.agent.helper`), id)
    },
  )

  t.test(
    `${provider}: 2.15 rule 10: after a manual import, members of the project are referred to by name, others by id`,
    async (t) => {
      const { top, agents, write, read, run, idOf } = await open(t, account)
      write(agents({ ...team, other: '' }))
      t.equal((await run('apply', '--yes')).code, 0)
      const other = await idOf(`${provider}.agent.other`)
      const lead = await idOf(`${provider}.agent.lead`)
      const member = await idOf(`${provider}.agent.member`)
      t.equal((await run('state', 'rm', 'agent.other', 'agent.lead', 'agent.member')).code, 0)

      write(`${top}# Nothing yet.\n`)
      t.equal((await run('import', 'agent.member', member)).code, 0)
      const { code, stderr } = await run('import', 'agent.lead', lead)
      t.equal(code, 0, stderr)
      t.ok(read().startsWith(`${top}# Nothing yet.\n`))
      t.strictSame(parse(read()).agents.lead.multiagent.agents, ['member'])
      t.match((await run('plan')).stdout, 'No changes. 2 resources as declared.')
      const taken = await run('import', 'agent.again', member)
      t.match(taken.stderr, '[import.id-taken]')
      t.ok(other)
    },
  )

  t.test(
    `${provider}: 7.11 an archived or missing member of the project stops the sync, and the file is unchanged`,
    async (t) => {
      const { emulator, agents, write, read, run, idOf } = await open(t, account)
      write(agents(team))
      t.equal((await run('apply', '--yes')).code, 0)
      const member = await idOf(`${provider}.agent.member`)
      if (account.archives) await emulator.patch(member, { archived_at: '2026-11-21T00:00:00Z' })
      else await emulator.remove(member)
      const before = read()
      const { code, stderr } = await run('sync')
      t.equal(code, 1)
      t.match(stderr, '[sync.owned-member-lost]')
      t.equal(read(), before)
    },
  )
}

t.test('P-A: 2.8 metadata with any JSON and policies of credentials are imported unchanged', async (t) => {
  const { top, write, read, run } = await open(t, accounts.bailian)
  const sections = `vaults:
  keys:
    credentials:
      - name: token
        type: environment_variable
        secret_name: TOKEN
        secret_value: \${TOKEN:-none}
        networking: { allowed_hosts: ["*.example.com", a.example] }
        injection_location: { header: false, body: true }
memory_stores:
  notes:
    metadata: { tier: { level: 2, tags: [a, null, true] }, plain: text }
`
  write(top + sections)
  const { code, stderr } = await run('apply', '--yes')
  t.equal(code, 0, stderr)
  t.equal((await run('sync')).code, 0)
  t.equal(read(), top + sections, 'in sync')
  t.equal((await run('state', 'rm', 'vault.keys', 'memory_store.notes')).code, 0)
  write(top)
  t.equal((await run('sync')).code, 0)
  const { vaults, memory_stores } = parse(sections)
  const written = parse(read())
  t.strictSame(written.memory_stores.notes.metadata, memory_stores.notes.metadata)
  const [credential] = written.vaults.keys.credentials
  t.strictSame(credential.networking.allowed_hosts.sort(), vaults.keys.credentials[0].networking.allowed_hosts.sort())
  t.strictSame(credential.injection_location, vaults.keys.credentials[0].injection_location)
  t.equal(credential.secret_value, '${KEYS_TOKEN}', 'no secret value is imported')
})

t.test(
  'a second run is refused because of the lock, and a file that is edited meanwhile is not overwritten',
  async (t) => {
    const { emulator, top, write, read, run } = await open(t, accounts.claude)
    const body = { name: 'helper', model: 'claude-sonnet-4-5', system: 'Help.' }
    await fetch(`${emulator.url}/_emulator/objects`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ provider: 'claude', kind: 'agent', body }),
    })
    write(top)
    await emulator.knobs({ hold: { write: 1, when: 'before' } })
    const first = run('sync', '--import')
    await emulator.held()
    const second = await run('sync')
    t.equal(second.code, 1)
    t.match(second.stderr, '[state.locked]')
    const edited = `${top}# Edited meanwhile.\n`
    write(edited)
    await emulator.knobs({ hold: null })
    const { code, stderr } = await first
    t.equal(code, 1)
    t.match(stderr, '[sync.file-changed]')
    t.equal(read(), edited, 'the edit is not lost')
    t.equal((await run('sync', '--import')).code, 0, 'the next run continues')
    t.match((await run('plan')).stdout, 'No changes.')
  },
)
