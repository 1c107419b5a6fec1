// `agents session`, `agents deployment` and `agents memory` on each provider: the same steps for all, with a table of
// differences.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { isObject } from '../../core/value/tree.js'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

interface Case {
  readonly provider: string
  /** Lines below `providers.<name>`. */
  readonly keys: readonly string[]
  readonly model: string
  /** Additional lines of the agent, and of the file. */
  readonly agent?: string
  readonly more?: string
  /** Options of a session, and the expected session. */
  readonly options: string
  readonly has: object
  /** Options that a rule forbids, with the code of the rule. */
  readonly forbidden: readonly (readonly [options: string, code: string])[]
  readonly isArchivable: boolean
  /** Response to a read of a deleted session. */
  readonly deleted: 'Deleted' | 'Archived'
  /** Absent: the provider has no deployments for such an agent. */
  readonly deployment?: { readonly isKept: boolean }
  readonly hasVersions: boolean
}

const stores = '--memory-store wiki --file guide'
const cases: Readonly<Record<string, Case>> = {
  ark: {
    provider: 'ark',
    keys: ['api_key'],
    model: 'doubao-seed-2-1-pro-260628',
    options: stores,
    has: { resources: [{ type: 'file' }, { type: 'memory_store' }] },
    forbidden: [
      ['--identity me', 'ark.session-option'],
      ['--tunnel office', 'ark.session-option'],
      ['--env A=1', 'ark.session-option'],
    ],
    isArchivable: false,
    deleted: 'Deleted',
    deployment: { isKept: false },
    hasVersions: false,
  },
  bailian: {
    provider: 'bailian',
    keys: ['api_key', 'workspace_id'],
    model: 'qwen3.7-plus',
    options: `${stores} --env LEVEL=1`,
    has: { environment_variables: { LEVEL: String }, resources: [{ type: 'file' }, { type: 'memory_store' }] },
    forbidden: [
      ['--identity me', 'bailian.session-option'],
      ['--tunnel office', 'bailian.session-option'],
    ],
    isArchivable: true,
    deleted: 'Deleted',
    deployment: { isKept: true },
    hasVersions: true,
  },
  claude: {
    provider: 'claude',
    keys: ['api_key'],
    model: 'claude-sonnet-4-5',
    options: stores,
    has: { resources: [{ type: 'file' }, { type: 'memory_store' }] },
    forbidden: [
      ['--identity me', 'claude.session-option'],
      ['--tunnel office', 'claude.session-option'],
      ['--env A=1', 'claude.session-option'],
    ],
    isArchivable: true,
    deleted: 'Deleted',
    deployment: { isKept: true },
    hasVersions: true,
  },
  qoder: {
    provider: 'qoder',
    keys: ['api_key'],
    model: 'auto',
    more: 'tunnels:\n  office: { tunnel_id: tnl_emulator }\n',
    options: `${stores} --env LEVEL=1 --env MODE=a=b --tunnel office`,
    has: { tunnel_id: 'tnl_emulator', resources: [{ type: 'file' }, { type: 'memory_store' }] },
    forbidden: [
      ['--identity me', 'qoder.session-option'],
      ['--env A=b;c', 'qoder.session-environment-variable'],
    ],
    isArchivable: true,
    deleted: 'Deleted',
    deployment: { isKept: true },
    hasVersions: true,
  },
  'qoder (forward)': {
    provider: 'qoder',
    keys: ['api_key'],
    model: 'auto',
    agent: '    delivery: { qoder: { type: forward } }\n    memory_stores: [wiki]\n    files: [guide]\n',
    more: 'defaults:\n  identity: visitor\nidentities:\n  visitor: { external_id: u1 }\n  other: { external_id: u2 }\n',
    options: '--file guide --env LEVEL=1',
    has: { identity_id: /^idn_/, config: { environment_variables: { LEVEL: '1' } }, resources: [{ type: 'file' }] },
    forbidden: [
      ['--environment sandbox', 'qoder.session-option'],
      ['--memory-store wiki', 'qoder.session-option'],
      ['--vault keys', 'qoder.session-option'],
      ['--tunnel office', 'qoder.session-option'],
    ],
    isArchivable: true,
    deleted: 'Archived',
    hasVersions: true,
  },
}

const fileOf = ({ provider, keys, model, agent = '', more = '', deployment }: Case) => `version: "1"
providers:
  ${provider}: { ${keys.map((key) => `${key}: "\${${key.toUpperCase()}}"`).join(', ')} }
${more}environments:
  sandbox: { config: { type: cloud } }
memory_stores:
  wiki: { entries: [{ key: notes/today.md, content: Ship on Friday }] }
files:
  guide: { source: ./guide.md }
agents:
  helper:
    model: ${model}
    instructions: Help.
    environment: sandbox
${agent}${deployment ? 'deployments:\n  nightly: { agent: helper, initial_events: [{ type: user.message, content: Look. }] }\n' : ''}`

async function applied(t: Test, tried: Case) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  writeFileSync(join(folder, 'agents.yaml'), fileOf(tried))
  writeFileSync(join(folder, 'guide.md'), 'Be kind.\n')
  const run = (words: string, input = '') => agentsHere(words.split(/ +/), { folder, input, env: { ...emulator.env } })
  const { code, stderr } = await run('apply --yes')
  t.equal(code, 0, stderr)
  const session = async (words: string) => {
    const { code, stdout, stderr } = await run(`session create helper ${words} --json`)
    t.equal(code, 0, stderr)
    return records(stdout).find(({ type }) => type === 'session') ?? {}
  }
  const started = async () => (await emulator.requests()).filter(({ path }) => path.includes('/sessions')).length
  return { folder, run, session, started }
}

for (const [title, tried] of Object.entries(cases)) {
  t.test(`${title}: a session can be created, listed, shown, sent messages, followed and ended`, async (t) => {
    const { run, session } = await applied(t, tried)
    const made = await session(`${tried.options} --title Try --message Hello`)
    const { id } = made
    t.match(made, { provider: tried.provider, address: `${tried.provider}.agent.helper`, session: { title: 'Try' } })
    const { session: shown = {} } =
      records((await run(`session show ${id} --json`)).stdout).find(({ type }) => type === 'session') ?? {}
    t.match(shown, tried.has)
    t.match((await run('session list')).stdout, String(id))
    t.match((await run('session list helper --json')).stdout, `"id":"${id}"`)
    t.match((await run('session list helper --status idle --json')).stdout, `"id":"${id}"`)
    t.notMatch((await run('session list --status terminated')).stdout, String(id))
    t.match(
      (await run('session list --status idel')).stderr,
      /can be "idel"[\s\S]*idle, running, rescheduling, terminated/,
    )
    t.equal((await run(`session send ${id} Go-on`)).code, 0)
    const { stdout } = await run(`session events ${id}`)
    t.match(stdout, /Hello[\s\S]*Go-on/)
    if (tried.isArchivable) {
      t.equal((await run(`session archive ${id}`)).code, 0)
      t.match((await run(`session show ${id}`)).stdout, /archived_at: "?\d{4}-/)
    }
    const { id: other } = await session('')
    t.match((await run(`session delete ${other}`)).stdout, `${tried.deleted} ${other}`)
    const after = await run(`session show ${other}`)
    t.equal(after.code, tried.deleted === 'Deleted' ? 1 : 0)
  })

  t.test(`${title}: unsupported session options are refused before any call`, async (t) => {
    const { folder, run, started } = await applied(t, tried)
    for (const [options, code] of tried.forbidden) {
      const result = await run(`session create helper ${options}`)
      t.equal(result.code, 1, options)
      t.match(result.stderr, `[${code}]`, options)
    }
    const path = join(folder, 'agents.state.json')
    const state = JSON.parse(readFileSync(path, 'utf8'))
    state.rows[`${tried.provider}.memory_store.wiki`].operation = { type: 'parts', pending: { 'index.md': 'hash' } }
    writeFileSync(path, JSON.stringify(state))
    const unfinished = await run(`session create helper ${tried.options}`)
    t.equal(unfinished.code, 1)
    t.match(unfinished.stderr, '[action.incomplete]', '2.8 rule 5')
    t.equal(await started(), 0)
  })

  t.test(`${title}: memories can be listed, shown, written and removed, with their versions`, async (t) => {
    const { run } = await applied(t, tried)
    t.match((await run('memory list wiki')).stdout, /notes\/today\.md[\s\S]*1 memory\./)
    t.match((await run('memory show wiki notes/today.md')).stdout, 'Ship on Friday\n')
    t.equal((await run('memory put wiki notes/today.md Later')).code, 0)
    t.match((await run('memory show wiki notes/today.md')).stdout, 'Later\n')
    t.equal((await run('memory put wiki piped.md', 'Piped.')).code, 0)
    const listed = records((await run('memory list wiki piped --json')).stdout)
    t.match(
      listed.filter(({ type }) => type === 'memory'),
      [{ path: 'piped.md' }],
    )
    t.equal((await run('memory rm wiki piped.md')).code, 0)
    t.match((await run('memory show wiki piped.md')).stderr, '[memory.no-entry]')
    const versions = await run('memory versions wiki notes/today.md')
    if (tried.hasVersions) t.match(versions.stdout, /2 versions\./)
    else t.match(versions.stderr, '[action.not-offered]')
    t.match((await run('plan')).stdout, 'No changes.', 'initial content is no drift')
  })

  const { deployment } = tried
  if (!deployment) continue
  t.test(`${title}: a deployment is run by hand${deployment.isKept ? ', paused and resumed' : ''}`, async (t) => {
    const { run } = await applied(t, tried)
    const ran = await run('deployment run nightly --json')
    t.equal(ran.code, 0, ran.stderr)
    const record = records(ran.stdout).find(({ type }) => type === 'run')
    t.match(record, { address: `${tried.provider}.deployment.nightly`, run: { id: /.+/ } })
    for (const action of ['pause', 'resume', 'runs']) {
      const { code, stderr } = await run(`deployment ${action} nightly`)
      t.equal(code, deployment.isKept ? 0 : 1, action)
      if (!deployment.isKept) t.match(stderr, '[action.not-offered]')
    }
    if (!deployment.isKept) return
    const made = isObject(record?.['run']) ? record['run'] : {}
    const runs = records((await run('deployment runs nightly --json')).stdout)
    t.match(
      runs.filter(({ type }) => type === 'run'),
      [{ run: { id: made['id'] } }],
    )
    t.match((await run('plan')).stdout, 'No changes.', 'neither runs nor pauses are drift')
  })
}
