// `agents plan`, and plan files, from outside.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { onTerminal } from './on-terminal.js'
import { secretEnv, writeProject } from './projects.js'
import { records, scratchFolder } from './scratch.js'

t.test('a plan of new resources shows every value, writes nothing, and names the emulator first', async (t) => {
  const folder = scratchFolder(t)
  const { url, env, objects } = await emulate(t)
  writeProject(folder)
  const { code, stdout } = await agentsHere(['plan'], { folder, env: { ...env, ...secretEnv } })
  t.equal(code, 0)
  t.equal(stdout.split('\n')[0], `Emulator: all calls go to ${url} (STEWARD_EMULATOR), none to a real provider.`)
  t.match(stdout, '+ create qoder.agent.helper')
  t.match(stdout, '+ description: "Answers questions"')
  t.match(stdout, '+ Be kind.')
  t.match(stdout, 'secret_value: (sensitive)')
  t.match(stdout, 'Plan: 3 to create.')
  t.same(readdirSync(folder), ['agents.yaml'])
  t.same(await objects(), [])
})

t.test('--detailed-exitcode ends with 2 while there are changes and with 0 afterwards', async (t) => {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...env, ...secretEnv } })
  writeProject(folder)
  t.equal((await run('plan', '--detailed-exitcode')).code, 2)
  t.equal((await run('apply', '--yes')).code, 0)
  const after = await run('plan', '--detailed-exitcode')
  t.equal(after.code, 0)
  t.match(after.stdout, 'No changes. 3 resources as declared.')
})

t.test('a changed text is shown as a line diff with its cause, drift or intent', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects, patch } = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...env, ...secretEnv } })
  writeProject(folder)
  await run('apply', '--yes')
  writeProject(folder, { instructions: 'Be brief.\nBe exact.\n' })
  const changed = await run('plan')
  t.match(changed.stdout, /~ update qoder\.agent\.helper {2}\(the declaration changed\)/)
  t.match(changed.stdout, /~ instructions:\n {10}Be brief\.\n {8}- Be kind\.\n {8}\+ Be exact\.\n/)

  writeProject(folder)
  const agent = (await objects()).find(({ kind }) => kind === 'agent')
  await patch(agent?.id ?? '', { description: 'Changed by hand' })
  const drifted = await run('plan')
  t.match(drifted.stdout, /~ update qoder\.agent\.helper {2}\(changed outside agents\.yaml\)/)
  t.match(drifted.stdout, '~ description: "Changed by hand" -> "Answers questions"')
  t.match(drifted.stdout, 'Plan: 1 to update. 2 unchanged.')
})

t.test('a rename is recognised, and "state mv" as printed keeps the object', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects } = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...env, ...secretEnv } })
  writeProject(folder)
  await run('apply', '--yes')
  const before = await objects()
  writeProject(folder, { name: 'guide' })
  const { stdout } = await run('plan')
  const command = /agents (state mv \S+ \S+)/.exec(stdout)?.[1] ?? ''
  t.equal(command, 'state mv qoder.agent.helper qoder.agent.guide')
  t.equal((await run(...command.split(' '))).code, 0)
  t.equal((await run('apply', '--yes')).code, 0)
  t.match((await run('plan')).stdout, 'No changes.')
  t.same(
    (await objects()).map(({ id }) => id),
    before.map(({ id }) => id),
  )
})

t.test('--json is NDJSON: the emulator, a change for everything to do, then the summary', async (t) => {
  const folder = scratchFolder(t)
  const { url, env } = await emulate(t)
  writeProject(folder)
  const { code, stdout, stderr } = await agentsHere(['plan', '--json'], { folder, env: { ...env, ...secretEnv } })
  t.equal(code, 0)
  t.equal(stderr, '')
  const all = records(stdout)
  t.same(
    all.map(({ type }) => type),
    ['emulator', 'change', 'change', 'change', 'summary'],
  )
  t.hasStrict(all[0], { url })
  const agent = all.find(({ address }) => address === 'qoder.agent.helper')
  t.match(agent, { action: 'create', provider: 'qoder', kind: 'agent', name: 'helper', cause: 'intent' })
  t.match(agent?.['leaves'], [{ label: 'name', before: { type: 'absent' }, after: { type: 'value', value: 'helper' } }])
  t.match(all.at(-1), { hasChanges: true, mode: 'apply', counts: { create: 3, none: 0 } })
})

t.test('a saved plan counts as consent, contains no secret, and is refused when anything changed', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects } = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...env, ...secretEnv } })
  writeProject(folder)
  t.equal((await run('plan', '--out', 'plan.json')).code, 0)
  const file = join(folder, 'plan.json')
  t.notMatch(readFileSync(file, 'utf8'), secretEnv.REPO_TOKEN)
  t.equal(statSync(file).mode & 0o777, 0o600)

  writeProject(folder, { description: 'Something else' })
  const moved = await run('apply', 'plan.json')
  t.equal(moved.code, 1)
  t.match(moved.stderr, '[plan-file.stale]')
  t.match(moved.stderr, 'qoder.agent.helper')
  t.same(await objects(), [])

  writeProject(folder)
  const applied = await run('apply', 'plan.json')
  t.equal(applied.code, 0)
  t.match(applied.stdout, 'Applied: 3 created.')
  const again = await run('apply', 'plan.json')
  t.equal(again.code, 1, 'a plan can be applied only once')
  t.match(again.stderr, '[plan-file.stale]')
})

t.test('a plan file that is missing, damaged or widened by options is refused', async (t) => {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...env, ...secretEnv } })
  writeProject(folder)
  t.match((await run('apply', 'nowhere.json')).stderr, '[plan-file.missing]')
  writeFileSync(join(folder, 'bad.json'), '{"format":"agents-plan"')
  t.match((await run('apply', 'bad.json')).stderr, '[plan-file.unreadable]')
  await run('plan', '--out', 'plan.json')
  const widened = await run('apply', 'plan.json', '--provider', 'all')
  t.equal(widened.code, 64)
  t.match(widened.stderr, '[cli.plan-has-scope]')
})

t.test('a plan file that cannot be written is an error, and no saved plan is reported', async (t) => {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  writeProject(folder)
  const { code, stderr } = await agentsHere(['plan', '--out', 'no/such/folder/plan.json'], {
    folder,
    env: { ...env, ...secretEnv },
  })
  t.equal(code, 1)
  t.match(stderr, 'ENOENT')
  t.notMatch(stderr, 'Saved')
})

t.test('--target and --exclude narrow a plan, and an unknown address is an error with a suggestion', async (t) => {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...env, ...secretEnv } })
  writeProject(folder)
  t.match((await run('plan', '--target', 'environment.base')).stdout, 'Plan: 1 to create.')
  t.match((await run('plan', '--exclude', 'qoder.vault.keys')).stdout, 'Plan: 2 to create.')
  const unknown = await run('plan', '--target', 'qoder.agent.helpr')
  t.equal(unknown.code, 1)
  t.match(unknown.stderr, 'Did you mean qoder.agent.helper?')
  const provider = await run('plan', '--provider', 'qodr')
  t.equal(provider.code, 1)
  t.match(provider.stderr, 'qoder')
})

t.test('--refresh-only shows drift as what will be recorded, and an apply then changes nothing remote', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects, patch, requests } = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...env, ...secretEnv } })
  writeProject(folder)
  await run('apply', '--yes')
  t.match((await run('plan', '--refresh-only')).stdout, 'No changes.')
  const agent = (await objects()).find(({ kind }) => kind === 'agent')
  await patch(agent?.id ?? '', { description: 'Changed by hand' })
  const shown = await run('plan', '--refresh-only')
  t.match(shown.stdout, '~ record qoder.agent.helper')
  t.match(shown.stdout, '~ description: "Answers questions" -> "Changed by hand"')
  const writes = async () => (await requests()).filter(({ method }) => method !== 'GET').length
  const before = await writes()
  const applied = await run('apply', '--refresh-only', '--yes')
  t.equal(applied.code, 0)
  t.match(applied.stdout, '1 recorded')
  t.equal(await writes(), before)
})

t.test('a variable that is not set stops a plan that must send it, not the validation', async (t) => {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  writeProject(folder)
  t.equal((await agentsHere(['validate'], { folder, env })).code, 0)
  const { code, stderr, stdout } = await agentsHere(['plan'], { folder, env })
  t.equal(code, 1)
  t.match(stderr, 'REPO_TOKEN')
  t.notMatch(stdout, 'Plan:')
})

t.test(
  'an invalid or unreachable STEWARD_EMULATOR is an error, and the real service is not used instead',
  async (t) => {
    const folder = scratchFolder(t)
    writeProject(folder)
    const bad = await agentsHere(['plan'], { folder, env: { ...secretEnv, STEWARD_EMULATOR: 'localhost' } })
    t.equal(bad.code, 1)
    t.match(bad.stderr, '[cli.bad-emulator]')
    t.notOk(existsSync(join(folder, 'agents.state.json')))
    rmSync(folder, { recursive: true })
  },
)

t.test('a renamed agent is recognised when its description changed too, and when it alone is targeted', async (t) => {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  const run = (...words: readonly string[]) => agentsHere(words, { folder, env: { ...env, ...secretEnv } })
  const instructions = 'Answer questions about this repository, briefly.\n'
  writeProject(folder, { instructions })
  t.equal((await run('apply', '--yes')).code, 0)
  writeProject(folder, { instructions, name: 'adviser', description: 'Another one' })
  const hint = '    agents state mv qoder.agent.helper qoder.agent.adviser\n'
  t.match((await run('plan')).stdout, hint)
  t.match((await run('plan', '--target', 'agent.adviser')).stdout, hint)
  writeProject(folder, { instructions: 'Write the release notes of this repository.\n', name: 'adviser' })
  t.notMatch((await run('plan')).stdout, 'agents state mv', 'another agent is no renamed one')
})

t.test('a plan on a terminal is wrapped, shows addresses for ids, and updates that do the same as one', async (t) => {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  mkdirSync(join(folder, 'tone'))
  const withText = (text: string, environment: string) => {
    writeFileSync(join(folder, 'tone/SKILL.md'), `---\nname: tone\ndescription: The tone\n---\n${text}\n`)
    writeFileSync(
      join(folder, 'agents.yaml'),
      `version: "1"
project: shop
providers: { claude: { api_key: "\${KEY}" } }
environments: { first: { config: { type: cloud } }, second: { config: { type: cloud } } }
skills: { tone: { source: ./tone } }
agents:
${[1, 2, 3].map((n) => `  helper-${n}: { model: claude-sonnet-4-5, instructions: "${text}", skills: [tone] }\n`).join('')}deployments:
  daily:
    agent: helper-1
    environment: ${environment}
    initial_events: [{ type: user.message, content: Go. }]
`,
    )
  }
  const given = { folder, env: { ...env, KEY: 'sk-ant-api-key-0123' } }
  withText('Answer.', 'first')
  t.match((await agentsHere(['plan'], given)).stdout, /\+ skills\["claude\.skill\.tone"\]\.type/)
  t.equal((await agentsHere(['apply', '--yes'], given)).code, 0)
  withText(
    'Answer each question in the tone of the house, and never promise what a colleague has to agree to.',
    'second',
  )
  const { stdout } = await agentsHere(['plan', '--out', 'plan.json'], given)
  const changed = /~ skills\["claude\.skill\.tone"\]\.version: "skillver/
  t.match(stdout, changed)
  t.match((await agentsHere(['plan', 'show', 'plan.json'], given)).stdout, changed)
  t.match(stdout, /~ update 3 resources alike {2}\(the declaration changed\)\n {4}claude\.agent\.helper-1, /)
  t.match(stdout, /environment: "claude\.environment\.first" -> "claude\.environment\.second"/)
  const overview = (await agentsHere(['plan', '--summary'], given)).stdout
  t.match(
    overview,
    /^~ update claude\.agent\.helper-2 {2}\(the declaration changed\): instructions, skills\["claude\.skill\.tone"\]\.version$/m,
  )
  const { screen } = await onTerminal(['plan'], { ...given, answers: [], columns: 80 })
  const plain = screen.replaceAll(/\u001b\[[\d;]*[mK]/g, '').replaceAll('\r\n', '\n')
  t.match(
    plain,
    /\+ Answer each question in the tone of the house, and never promise what\n {10}a colleague has to agree to\.\n/,
  )
})
