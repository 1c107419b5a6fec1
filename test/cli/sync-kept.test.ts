// `agents sync` on a hand-written file: text that the provider cannot return is kept, and changes are minimal.
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const head = 'version: "1"\nproviders:\n  claude: { api_key: "${ANTHROPIC_API_KEY}" }\n'
const text = `${head}
environments:
  shop:
    # Where work is done.
    config:
      type: cloud   # the only one
      networking:
        type: limited
        allow_package_managers: true
        # Only what is needed:
        allowed_hosts: [a.example, b.example]   # both
      packages: { pip: [ruff] }
    metadata:
      team: a # us
      cost: "3"

vaults:
  keys:
    credentials:
      # By hand.
      - name: tracker
        type: static_bearer
        mcp_server_url: https://mcp.example/tracker
        access_token: \${TRACKER} # see the wiki
        protocol: sse
      - name: github
        type: environment_variable
        secret_name: GITHUB_TOKEN
        secret_value: \${GITHUB:-none}
        networking: { allowed_hosts: [api.github.com] }
        injection_location: { header: true, body: true }

memory_stores:
  rules:
    description: How we work
    metadata: { tier: "2" }
    entries_mode: sync
    entries:
      - key: tone.md
        content: Be brief.

skills:
  review: { source: ./review }

agents:
  reviewer:
    description: Reviews
    model: qwen3.8-max
    instructions: ./instructions/reviewer.md   # long
    environment: shop
    vault: keys
    memory_stores: [rules]
    skills: [review]
    tools:
      builtin: [read]
      permissions: { read: ask } # for now
    mcp_servers:
      - { name: tracker, url: https://mcp.example/tracker }
  first: { model: qwen3.8-max, instructions: ./instructions/shared.md }
  second: { model: qwen3.8-max, instructions: ./instructions/shared.md }

deployments:
  nightly:
    agent: reviewer
    resources:
      - { type: file, source: ./in.csv, mount_path: in/data.csv } # the input
    initial_events:
      - { type: user.message, content: Go. }
      - { type: user.define_outcome, description: Done, rubric_file: ./rubric.md }
`
const files = {
  'instructions/reviewer.md': 'Review it. Costs ${5}.\n',
  'instructions/shared.md': 'Do your part.\n',
  'review/SKILL.md': '---\nname: review\ndescription: How\n---\nRead.\n',
  'in.csv': 'a,b\n',
  'rubric.md': 'Good.\n',
}

async function applied(t: Test) {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const put = (name: string, content: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  put('agents.yaml', text)
  for (const [name, content] of Object.entries(files)) put(name, content)
  const env = { ...emulator.env, TRACKER: 'tracker-t0ken', GITHUB: 'ghp-s3cret' }
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env })
  const { code, stderr } = await run('apply', '--yes')
  t.equal(code, 0, stderr)
  const rows = records((await run('state', 'list', '--json')).stdout)
  const idOf = (address: string) => String(rows.find((row) => row['address'] === address)?.['id'])
  const read = (name = 'agents.yaml') => readFileSync(join(folder, name), 'utf8')
  const change = (address: string, body: unknown) => emulator.patch(idOf(`claude.${address}`), body)
  return { folder, emulator, run, idOf, read, put, change, isSettled: async () => (await run('plan')).stdout }
}

t.test('a file with other spellings of equal values is unchanged', async (t) => {
  const { run, read } = await applied(t)
  const { stdout } = await run('sync')
  t.match(stdout, 'agents.yaml says what the providers hold.')
  t.equal(read(), text)
  t.equal((await run('sync', '--check')).code, 0)
})

t.test('a change deep inside changes only its line', async (t) => {
  const { run, read, change, isSettled } = await applied(t)
  await change('environment.shop', {
    config: {
      type: 'cloud',
      networking: { type: 'limited', allow_package_managers: true, allowed_hosts: ['b.example', 'c.example'] },
      packages: { pip: ['ruff'] },
    },
    metadata: { team: 'b', owner: 'me', cost: null },
  })
  const { stdout } = await run('sync')
  t.match(stdout, '~ environment shop  config.networking.allowed_hosts')
  const expected = text
    .replace('[a.example, b.example]   # both', '[b.example, c.example]   # both')
    .replace('      team: a # us\n      cost: "3"', '      team: b # us\n      owner: me')
  t.equal(read(), expected)
  t.match(await isSettled(), 'No changes.')
})

t.test('an added item leaves the others as written in the file, secrets and paths included', async (t) => {
  const { run, read, idOf, change, isSettled } = await applied(t)
  const rubric = { type: 'file', file_id: idOf('claude.file.nightly~./rubric.md') }
  await change('deployment.nightly', {
    initial_events: [
      { type: 'user.message', content: [{ type: 'text', text: 'First.' }] },
      { type: 'user.message', content: [{ type: 'text', text: 'Go.' }] },
      { type: 'user.define_outcome', description: 'Done', rubric, max_iterations: 3 },
    ],
  })
  const { code, stderr } = await run('sync')
  t.equal(code, 0, stderr)
  t.match(read(), 'rubric_file: ./rubric.md')
  t.match(read(), 'source: ./in.csv')
  t.match(read(), 'content: First.')
  t.match(await isSettled(), 'No changes.')
})

t.test('2.8 rule 2: entries that agents wrote into a memory store do not change the file', async (t) => {
  const { run, read, change, isSettled } = await applied(t)
  t.equal((await run('memory', 'put', 'rules', 'tone.md', 'Be loud.')).code, 0)
  await change('memory_store.rules', { description: 'How we work now' })
  t.equal((await run('sync')).code, 0)
  t.equal(read(), text.replace('How we work', 'How we work now'))
  t.match(await isSettled(), 'Be brief.')
})

t.test('instructions in a separate file are changed there, byte for byte, and the path is kept', async (t) => {
  const { folder, run, read, change, isSettled } = await applied(t)
  chmodSync(join(folder, 'instructions/reviewer.md'), 0o600)
  await change('agent.reviewer', { system: 'Review it all.\nCosts ${6}: cheap.\n', description: 'Reviews it all' })
  t.equal((await run('sync', '--check')).code, 2)
  t.equal(read('instructions/reviewer.md'), files['instructions/reviewer.md'], 'a check writes nothing')
  const { stdout } = await run('sync', '--json')
  t.match(
    records(stdout).filter(({ type }) => type === 'changed'),
    [
      { field: 'description', value: 'Reviews it all' },
      { field: 'instructions', value: 'Review it all.\nCosts ${6}: cheap.\n', file: './instructions/reviewer.md' },
    ],
  )
  t.equal(read('instructions/reviewer.md'), 'Review it all.\nCosts ${6}: cheap.\n')
  t.equal(statSync(join(folder, 'instructions/reviewer.md')).mode & 0o777, 0o600)
  t.equal(read(), text.replace('description: Reviews', 'description: Reviews it all'))
  const plan = await run('plan')
  t.match(plan.stdout, /update claude\.deployment\.nightly {2}\(follows a change[^\n]*\n *~ agent_version: "1" -> "2"/)
  t.match(plan.stdout, 'Plan: 1 to update.', 'runs of the deployment would use the text from before')
  t.equal((await run('apply', '--yes')).code, 0)
  t.match(await isSettled(), 'No changes.')
})

t.test('a text file shared by several declarations is unchanged, and sync reports it', async (t) => {
  const { run, read, change } = await applied(t)
  await change('agent.first', { system: 'Do all of it.' })
  const { stdout } = await run('sync', '--json')
  t.equal(read(), text)
  t.equal(read('instructions/shared.md'), files['instructions/shared.md'])
  t.match(
    records(stdout).filter(({ code }) => code === 'sync.still-different'),
    [{ address: 'claude.agent.first', detail: /instructions/ }],
  )
})

t.test('an agent that cannot be declared is reported with the reason, as text and as a record', async (t) => {
  const { run, read, emulator } = await applied(t)
  const seeded = await fetch(`${emulator.url}/_emulator/objects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'claude', kind: 'agent', body: { name: 'mute', model: 'qwen3.8-max' } }),
  })
  const { id } = (await seeded.json()) as { readonly id: string }
  const { code, stdout } = await run('sync')
  t.equal(code, 0)
  t.match(stdout, `claude.agent.mute ${id}: it has no instructions`)
  t.equal(read(), text)
  t.match(
    records((await run('sync', '--json')).stdout).filter(({ type }) => type === 'leftOut'),
    [{ provider: 'claude', kind: 'agent', id, name: 'mute', reason: 'it has no instructions' }],
  )
})
