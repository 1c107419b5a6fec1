// `agents apply` and `agents destroy` from outside: consent, exit codes, interruption, secrets.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agents, printed, records, scratchFolder, start } from './program.js'
import { secretEnv, writeAgents, writeProject, writeSkilled } from './projects.js'

t.test('without a terminal and without --yes or a plan file, nothing is done and the exit code is 64', async (t) => {
  const folder = scratchFolder(t)
  const { env, requests } = await emulate(t)
  writeProject(folder)
  const { code, stderr } = await agents(['apply'], { folder, env: { ...env, ...secretEnv }, input: 'yes\n' })
  t.equal(code, 64)
  t.match(stderr, '[cli.consent-missing]')
  t.match(stderr, '--yes')
  t.same(await requests(), [])
  t.same(readdirSync(folder), ['agents.yaml'])
})

t.test('apply reports every change as it ends; destroy leaves nothing behind', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects } = await emulate(t)
  const run = (...words: readonly string[]) => agents(words, { folder, env: { ...env, ...secretEnv } })
  writeProject(folder)
  const applied = await run('apply', '--yes')
  t.equal(applied.code, 0)
  t.match(applied.stdout, /✓ created qoder\.agent\.helper {2}agent_\S+ {2}\d/)
  t.match(applied.stdout, 'Applied: 3 created.')
  t.equal((await objects()).length, 3)
  const nothing = await run('apply', '--yes')
  t.equal(nothing.code, 0)
  t.match(nothing.stdout, 'No changes.')
  const destroyed = await run('destroy', '--yes')
  t.equal(destroyed.code, 0)
  t.match(destroyed.stdout, '- remove qoder.vault.keys')
  t.match(destroyed.stdout, 'Applied: 3 removed.')
  t.same(await objects(), [])
})

t.test(
  'something failed while other things were done: exit code 3, dependents skipped, the failure explained',
  async (t) => {
    const folder = scratchFolder(t)
    const { env, knobs } = await emulate(t)
    const run = (...words: readonly string[]) => agents(words, { folder, env })
    writeSkilled(folder)
    const missing = await run('apply', '--yes')
    t.equal(missing.code, 1, 'a declared folder that is missing stops everything')
    t.match(missing.stderr, /agents\.yaml:\d+:\d+: error: /)
    mkdirSync(join(folder, 'guide'))
    writeFileSync(join(folder, 'guide/SKILL.md'), '---\nname: guide\ndescription: A guide.\n---\nGuide.\n')
    await knobs({ scans: { outcome: 'refused' } })
    const { code, stdout, stderr } = await run('apply', '--yes')
    t.equal(code, 3)
    t.match(stdout, /✗ could not create bailian\.skill\.guide/)
    t.match(stdout, /- skipped bailian\.agent\.helper/)
    t.match(stdout, /Applied: 1 created; 1 failed, 1 skipped\./)
    t.match(stderr, /bailian\.skill\.guide: error: .*\n {2}.*\n/)
    await knobs({ scans: { outcome: 'clean' } })
    t.equal((await run('apply', '--yes')).code, 0, 'a second run continues')
    t.match((await run('plan')).stdout, 'No changes.')
  },
)

t.test(
  'Ctrl-C once: no new change starts, those in flight are recorded, the rest is reported, exit code 130',
  async (t) => {
    const folder = scratchFolder(t)
    const { env, objects, knobs, held } = await emulate(t)
    writeAgents(folder, 12)
    await knobs({ hold: { write: 3, when: 'after' } })
    const running = start(['apply', '--yes', '--parallelism', '1'], { folder, env })
    await held()
    running.child.kill('SIGINT')
    await printedOnStderr(running, 'Stopping:')
    await knobs({})
    const { code, stderr, stdout } = await running.ended
    t.equal(code, 130)
    t.match(stderr, /Interrupted; 9 changes are left\. Run the command again to go on:\n {2}qoder\.agent\.agent-\d+/)
    t.match(stdout, 'Applied: 3 created; 9 interrupted.')
    t.equal((await objects()).length, 3)
    t.notOk(existsSync(join(folder, 'agents.state.lock')))
    t.equal((await agents(['apply', '--yes'], { folder, env })).code, 0)
    t.equal((await objects()).length, 12)
  },
)

t.test('many concurrent changes cause no warning of Node', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects } = await emulate(t)
  writeAgents(folder, 30)
  const { code, stderr } = await agents(['apply', '--yes', '--parallelism', '30'], { folder, env })
  t.equal(code, 0)
  t.notMatch(stderr, /Warning/)
  t.equal((await objects()).length, 30)
})

t.test('Ctrl-C twice stops at once; the next apply determines whether the call in flight took effect', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects, knobs, held } = await emulate(t)
  writeAgents(folder, 6)
  await knobs({ hold: { write: 2, when: 'after' } })
  const running = start(['apply', '--yes', '--parallelism', '1'], { folder, env })
  await held()
  running.child.kill('SIGINT')
  await printedOnStderr(running, 'Stopping:')
  running.child.kill('SIGINT')
  const { code, stderr } = await running.ended
  t.equal(code, 130)
  t.match(stderr, 'Stopping at once.')
  await knobs({})
  t.equal((await agents(['apply', '--yes'], { folder, env })).code, 0)
  t.equal((await objects()).length, 6, 'no duplicate of the object whose response was lost')
  t.match((await agents(['plan'], { folder, env })).stdout, 'No changes. 6 resources')
})

t.test('killed at the very end: the next apply only folds the journal', async (t) => {
  const folder = scratchFolder(t)
  const { env, knobs, held } = await emulate(t)
  const options = { folder, env: { ...env, ...secretEnv } }
  const run = (...words: readonly string[]) => agents(words, options)
  const stateFiles = () => readdirSync(folder).filter((name) => name.startsWith('agents.state.'))
  const file = join(folder, 'agents.yaml')
  writeProject(folder)
  await run('apply', '--yes')
  writeProject(folder, { description: 'Answers all questions' })
  const added = 'agents:\n  aide:\n    model: auto\n    instructions: Help the helper.\n'
  writeFileSync(file, readFileSync(file, 'utf8').replace('agents:\n', added))
  await knobs({ hold: { write: 2, when: 'after' } })
  const running = start(['apply', '--yes', '--parallelism', '1'], options)
  await held()
  running.child.kill('SIGKILL')
  t.equal((await running.ended).signal, 'SIGKILL')
  await knobs({})

  t.match(await run('plan'), { code: 0, stdout: 'No changes.', stderr: '[state.taken-up]' })
  t.ok(stateFiles().includes('agents.state.journal'), 'a plan writes nothing')
  t.match(await run('apply', '--yes'), { code: 0, stdout: 'No changes.', stderr: '[state.taken-up]' })
  t.same(stateFiles(), ['agents.state.backup', 'agents.state.json'])
  t.match(readFileSync(join(folder, 'agents.state.json'), 'utf8'), '"qoder.agent.aide"')
})

t.test('Ctrl-C while planning changes nothing: exit code 130', async (t) => {
  const folder = scratchFolder(t)
  const { env, knobs, objects } = await emulate(t)
  writeAgents(folder, 2)
  await agents(['apply', '--yes'], { folder, env })
  await knobs({ latencyMs: 60_000 })
  const running = start(['plan', '--verbose'], { folder, env })
  await printedOnStdout(running, 'Emulator:')
  running.child.kill('SIGINT')
  const { code, signal, stderr } = await running.ended
  t.equal(code, 130)
  t.equal(signal, null)
  t.notMatch(stderr, 'bug')
  await knobs({ latencyMs: 0 })
  t.equal((await objects()).length, 2)
})

t.test('two applies at once: one works, the other names the holder of the lock and exits 1', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects, knobs, held } = await emulate(t)
  writeAgents(folder, 3)
  await knobs({ hold: { write: 1, when: 'before' } })
  const first = start(['apply', '--yes'], { folder, env })
  await held()
  const second = await agents(['apply', '--yes'], { folder, env })
  t.equal(second.code, 1)
  t.match(second.stderr, '[state.locked]')
  t.match(second.stderr, `process ${first.child.pid}`)
  await knobs({})
  t.equal((await first.ended).code, 0)
  t.equal((await objects()).length, 3)
})

t.test('--json reports every outcome and a summary; the exit code is the same', async (t) => {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  writeProject(folder)
  const { code, stdout, stderr } = await agents(['apply', '--yes', '--json'], { folder, env: { ...env, ...secretEnv } })
  t.equal(code, 0)
  t.equal(stderr, '')
  const all = records(stdout)
  t.equal(all.filter(({ type }) => type === 'started').length, 3)
  const outcomes = all.filter(({ type }) => type === 'outcome')
  t.ok(outcomes.every(({ status, id }) => status === 'done' && typeof id === 'string'))
  t.match(all.at(-1), { type: 'summary', outcomes: { done: 3, failed: 0 }, wasInterrupted: false, left: { length: 0 } })
})

t.test('no value of a variable is printed or written to a file, also with --verbose', async (t) => {
  const folder = scratchFolder(t)
  const { env } = await emulate(t)
  const secret = secretEnv.REPO_TOKEN
  const key = 'key-of-the-provider'
  writeProject(folder, { instructions: `The token is \${REPO_TOKEN}.\n` })
  const options = { folder, env: { ...env, ...secretEnv, QODER_PAT: key } }
  const printed: string[] = []
  for (const words of [
    'plan --out plan.json',
    'plan --json',
    'apply --yes --verbose',
    'plan --verbose',
    'state show agent.helper',
    'state list --json',
    'destroy --yes --json --verbose',
  ]) {
    const { code, stdout, stderr } = await agents(words.split(' '), options)
    t.equal(code, 0, words)
    printed.push(stdout, stderr)
  }
  t.match(printed.join(''), 'POST /', '--verbose prints requests')
  const written = readdirSync(folder)
    .filter((name) => name !== 'agents.yaml')
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  for (const text of [...printed, ...written]) {
    t.notMatch(text, secret)
    t.notMatch(text, key)
  }
  t.equal(statSync(join(folder, 'agents.state.json')).mode & 0o777, 0o600)
})

t.test('a reader that closes the pipe does not stop an apply', async (t) => {
  const folder = scratchFolder(t)
  const { env, objects } = await emulate(t)
  writeAgents(folder, 8)
  const running = start(['apply', '--yes'], { folder, env })
  running.child.stdout?.destroy()
  const { code } = await running.ended
  t.equal(code, 0)
  t.equal((await objects()).length, 8)
})

type Running = ReturnType<typeof start>

function printedOnStderr(running: Running, text: string): Promise<void> {
  return printed(running, 'stderr', text)
}

function printedOnStdout(running: Running, text: string): Promise<void> {
  return printed(running, 'stdout', text)
}
