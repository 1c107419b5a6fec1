// `agents sync` and rosters (agent configuration 2.15 rule 10): members of the project by name, others by id; if a member of
// the project cannot be named, the file is unchanged.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { emulate, type TestEmulator } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const head = 'version: "1"\nproviders:\n  claude:\n    api_key: ${ANTHROPIC_API_KEY}\n'
const model = 'claude-sonnet-4-5'
const project = `${head}agents:
  member:
    model: ${model}
    instructions: Help.
  lead:
    model: ${model}
    instructions: Lead.
    multiagent:
      type: coordinator
      agents: [member]
`

async function applied(t: Test) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const file = join(folder, 'agents.yaml')
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...emulator.env } })
  writeFileSync(file, project)
  t.equal((await run('apply', '--yes')).code, 0)
  const rows = records((await run('state', 'list', '--json')).stdout)
  const idOf = (address: string) => String(rows.find((row) => row['address'] === address)?.['id'])
  const refused = async (code: string) => {
    const before = readFileSync(file, 'utf8')
    const result = await run('sync')
    t.equal(result.code, 1, result.stdout)
    t.match(result.stderr, `[${code}]`)
    t.equal(readFileSync(file, 'utf8'), before, 'the file is untouched')
  }
  return { emulator, file, run, idOf, refused }
}

/** Seeds an agent as if somebody else had created it. */
async function seed({ url }: TestEmulator, body: unknown): Promise<string> {
  const seeded = await fetch(`${url}/_emulator/objects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'claude', kind: 'agent', body }),
  })
  const { id } = (await seeded.json()) as { id?: string } // The emulator returns the object it created.
  return String(id)
}

t.test('2.15 rule 10: members of the project are written by name, and others by id', async (t) => {
  const { emulator, file, run } = await applied(t)
  const other = await seed(emulator, { name: 'other', model, system: 'x' })
  writeFileSync(file, project.replace('[member]', `[member, { agent_id: ${other} }]`))
  t.equal((await run('apply', '--yes')).code, 0)
  writeFileSync(file, head)
  const { code, stderr } = await run('sync')
  t.equal(code, 0, stderr)
  const { agents } = parse(readFileSync(file, 'utf8'))
  t.strictSame(agents.lead.multiagent.agents, ['member', { agent_id: other }])
  t.match((await run('plan', '--exclude', 'agent.other')).stdout, 'No changes. 2 resources as declared.')
})

t.test('7.11 an archived member of the project stops the sync', async (t) => {
  const { emulator, idOf, refused } = await applied(t)
  await emulator.patch(idOf('claude.agent.member'), { archived_at: '2026-11-21T00:00:00Z' })
  await refused('sync.owned-member-lost')
})

t.test('7.11 two agents that claim one name stop the sync', async (t) => {
  const { emulator, refused } = await applied(t)
  const metadata = { 'agents.project': 'project', 'agents.resource': 'member' }
  await seed(emulator, { name: 'twin', model, system: 'x', metadata })
  await refused('sync.name-claimed-twice')
})

t.test('7.11 a member of the project whose mark has no name stops the sync', async (t) => {
  const { emulator, file, run, idOf } = await applied(t)
  const member = idOf('claude.agent.member')
  await emulator.patch(member, { metadata: { 'agents.project': 'project', 'agents.resource': null } })
  t.equal((await run('state', 'rm', 'claude.agent.member')).code, 0)
  writeFileSync(file, head)
  const { code, stderr } = await run('sync')
  t.equal(code, 1)
  t.match(stderr, '[sync.owned-member-lost]')
  t.equal(readFileSync(file, 'utf8'), head)
})

const marks = (name: string) => ({ 'agents.project': 'project', 'agents.resource': name })

async function withNewMember(t: Test, body: Readonly<Record<string, unknown>>) {
  const here = await applied(t)
  const { emulator, idOf } = here
  const extra = await seed(emulator, { name: 'extra', model, metadata: marks('extra'), ...body })
  const roster = [idOf('claude.agent.member'), extra].map((id) => ({ type: 'agent', id, version: 1 }))
  await emulator.patch(idOf('claude.agent.lead'), { multiagent: { type: 'coordinator', agents: roster } })
  return here
}

t.test('2.15 rule 10: a member that is declared by the same run is written by name', async (t) => {
  const { file, run } = await withNewMember(t, { system: 'Help more.' })
  const { code, stderr } = await run('sync', '--import')
  t.equal(code, 0, stderr)
  t.match(readFileSync(file, 'utf8'), 'agents: [member, extra]')
  t.match((await run('plan')).stdout, 'No changes. 3 resources as declared.')
})

t.test('7.11 a member of the project that cannot be declared stops the sync', async (t) => {
  const { refused } = await withNewMember(t, {})
  await refused('sync.owned-member-lost')
})

t.test('the form of a roster is written as it was changed, without what nobody declared', async (t) => {
  const { emulator, file, run, idOf } = await applied(t)
  writeFileSync(file, project.replace('      type: coordinator\n', ''))
  const [lead, member] = [idOf('claude.agent.lead'), idOf('claude.agent.member')]
  const written = async (multiagent: unknown) => {
    const body = JSON.stringify({ multiagent })
    const headers = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' }
    const beta = { 'anthropic-beta': 'managed-agents-2026-04-01' }
    const options = { method: 'POST', headers: { ...headers, ...beta }, body }
    t.equal((await fetch(`${emulator.url}/claude/v1/agents/${lead}`, options)).status, 200)
    const { code, stderr } = await run('sync')
    t.equal(code, 0, stderr)
    t.match((await run('plan')).stdout, 'No changes')
    return parse(readFileSync(file, 'utf8')).agents.lead.multiagent
  }
  const type = 'multiagent_20261001'
  const advisor = { type: 'enabled', model: 'wise-model' }
  const off = { type: 'disabled' }
  const subagents = { type: 'enabled', inline_agents: off, predefined_agents: [member] }
  t.strictSame(await written({ type, advisor, subagents, workflows: off }), {
    advisor: { model: 'wise-model' },
  })
  t.strictSame(await written({ type, advisor: off, subagents: null, workflows: null }), {
    advisor: { enabled: false },
  })
  t.strictSame(await written({ type: 'coordinator', agents: [member] }), { agents: ['member'] })
})
