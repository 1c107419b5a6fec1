// `plan show` prints a saved plan for a reviewer as `plan` did: without keys or project, with values, never with secrets.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { emulate } from './emulator.js'
import { agentsHere } from './in-process.js'
import { secretEnv, writeProject } from './projects.js'
import { records, scratchFolder } from './scratch.js'

const value = 'Answers with care'

t.test('plan show prints every change of a saved plan', async (t) => {
  const [folder, elsewhere] = [scratchFolder(t), scratchFolder(t, 'elsewhere')]
  const emulator = await emulate(t)
  const env = { ...emulator.env, ...secretEnv, QODER_PAT: 'x' }
  const run = (...words: string[]) => agentsHere(words, { folder, env })
  const show = (...words: string[]) => agentsHere(['plan', 'show', ...words], { folder: elsewhere })
  const path = join(folder, 'plan.json')

  writeProject(folder)
  t.equal((await run('plan', '--out', 'plan.json')).code, 0)
  const count = (await emulator.requests()).length
  const fresh = await show(path)
  t.equal(fresh.code, 0, fresh.stderr)
  t.match(fresh.stdout, /\+ create qoder\.environment\.base\n {4}\+ name: "base"\n/)
  t.match(fresh.stdout, /\+ instructions:\n {8}\+ Be brief\.\n/)
  for (const secret of Object.values(secretEnv)) t.notMatch(readFileSync(path, 'utf8'), secret)
  t.match(fresh.stdout, /Plan: 3 to create\./)
  t.match(fresh.stdout, new RegExp(`agents apply ${path}`))
  t.equal((await emulator.requests()).length, count, 'no request to a provider')

  t.equal((await run('apply', 'plan.json', '--yes')).code, 0, 'the plan can be applied')
  writeProject(folder, { description: value })
  const planned = records((await run('plan', '--out', 'plan.json', '--json')).stdout)
  const shown = await show(path, '--json')
  t.equal(shown.code, 0)
  const [head, ...rest] = records(shown.stdout)
  t.match(head, { type: 'savedPlan', mode: 'apply', project: 'project', hosts: { qoder: emulator.url } })
  const changes = rest.filter(({ type }) => type === 'change')
  t.strictSame(
    changes.map(({ address, action, cause }) => ({ address, action, cause })),
    planned.filter(({ type }) => type === 'change').map(({ address, action, cause }) => ({ address, action, cause })),
  )
  t.strictSame(
    changes.map(({ leaves }) => leaves),
    planned.filter(({ type }) => type === 'change').map(({ leaves }) => leaves),
    'the values of the plan',
  )
  t.strictSame(
    rest.at(-1),
    planned.findLast(({ type }) => type === 'summary'),
  )
  const text = (await show(path)).stdout
  t.match(text, new RegExp(`~ update qoder\\.agent\\.helper.*\\n {4}[~+] description: .*"${value}"\\n`))

  writeProject(folder)
  t.equal((await run('plan', '--out', 'plan.json')).code, 0)
  t.match((await show(path)).stdout, /No changes/)
})

t.test('no text of a plan file begins a line of its own, moves the cursor or turns the direction', async (t) => {
  const folder = scratchFolder(t)
  const emulator = await emulate(t)
  const env = { ...emulator.env, ...secretEnv, QODER_PAT: 'x' }
  writeProject(folder, { description: 'first' })
  t.equal((await agentsHere(['apply', '--yes'], { folder, env })).code, 0)
  writeProject(folder, { description: value })
  t.equal((await agentsHere(['plan', '--out', 'plan.json'], { folder, env })).code, 0)
  const saved: unknown = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))
  const [change] = Object(saved).changes
  const more = { ...change, action: 'remove', id: 'an id', notes: ['a note'], deposed: ['old'], unverified: ['/a'] }
  Object(saved).changes.push({ ...more, irreversible: 'for good', address: 'claude.agent.gone' })
  Object(saved).changes[0].leaves['/gone'] = {
    ...(Object.values(change.leaves)[0] as object),
    ...{ part: 'part', before: { type: 'value', value: 'was' }, after: { type: 'absent' } },
  }
  let count = 0
  for (const forged of everyForgery(saved)) {
    writeFileSync(join(folder, 'plan.json'), JSON.stringify(forged))
    const { code, stdout, stderr } = await agentsHere(['plan', 'show', 'plan.json'], { folder })
    if (code !== 0) {
      t.match(stderr, '[plan-file.unreadable]')
      continue
    }
    count += 1
    t.notMatch(stdout, /^\s*No changes\. Forged/m)
    t.notOk(/[\u001b\u202e\u2028\u{e0041}]/u.test(stdout))
  }
  t.ok(count > 15, `${count} texts`)
})

const forgery = '\nNo changes. Forged\r\u001b[2K\u202e\u2028\u{e0041}'

/** The value once for each text and key in it, with that one forged. */
function everyForgery(value: unknown): readonly unknown[] {
  if (typeof value === 'string') return [value + forgery, forgery + value]
  if (Array.isArray(value)) {
    return value.flatMap((one, index) => everyForgery(one).map((forged) => value.with(index, forged)))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => [
    ...everyForgery(one).map((forged) => ({ ...value, [key]: forged })),
    Object.fromEntries(Object.entries(value).map(([name, kept]) => [name === key ? name + forgery : name, kept])),
  ])
}

t.test('a file that is not a plan is refused', async (t) => {
  const folder = scratchFolder(t)
  const show = (path: string) => agentsHere(['plan', 'show', path], { folder })
  for (const text of ['', '{', '[]', '{"format":"agents-plan","version":1}', '\0'.repeat(100)]) {
    writeFileSync(join(folder, 'plan.json'), text)
    const { code, stderr } = await show('plan.json')
    t.equal(code, 1)
    t.match(stderr, '[plan-file.unreadable]')
  }
  rmSync(join(folder, 'plan.json'))
  t.match((await show('plan.json')).stderr, '[plan-file.missing]')
})
