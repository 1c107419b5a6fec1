// Code of a project runs only after a person allowed it, whatever the command.
import { appendFileSync, existsSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { agentsHere } from './in-process.js'
import { records, scratchFolder } from './scratch.js'

const source = `
import { writeFileSync } from 'node:fs'
import { mark } from './mark.mjs'
writeFileSync(new URL('./RAN', import.meta.url), mark)
const configuration = { type: 'object', properties: {}, additionalProperties: false }
export default { name: 'own', title: 'Own', aliases: [], configuration, words: {}, identify: () => ({ host: 'https://own' }),
  connect: () => ({}), classify: () => ({ class: 'invalid' }), handlers: [{ kind: 'agent' }], rules: [] }
`

function project(t: Test, user = scratchFolder(t)) {
  const folder = scratchFolder(t)
  writeFileSync(
    join(folder, 'agents.yaml'),
    'version: "1"\nproviders: { own: { plugin: ./own.mjs } }\nagents: { a: { model: m, instructions: x } }\n',
  )
  writeFileSync(join(folder, 'own.mjs'), source)
  writeFileSync(join(folder, 'mark.mjs'), "export const mark = 'ran'\n")
  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    agentsHere(words, { folder, env: { HOME: user, ...env } })
  /** True if the plugin ran since the last call. */
  const ran = () => {
    const path = join(folder, 'RAN')
    const did = existsSync(path)
    rmSync(path, { force: true })
    return did
  }
  return { folder, user, run, ran }
}

/** Every command that reads the project file, and so would load its plugins. */
const commands: readonly (readonly string[])[] = [
  ['validate'],
  ['plan'],
  ['apply', '--yes'],
  ['destroy', '--yes'],
  ['sync'],
  ['import', 'own.agent.a', 'id'],
  ['explain'],
  ['explain', 'agent'],
  ['schema'],
  ['providers'],
  ['graph'],
  ['session', 'list'],
  ['session', 'create', 'a'],
  ['deployment', 'runs', 'a'],
  ['memory', 'list', 'a'],
  ['state', 'list'],
  ['state', 'show', 'own.agent.a', '--live'],
  ['__complete', 'key'],
  ['__complete', 'agent'],
  ['__complete', 'address'],
  ['init', '--yes'],
]

t.test('no command runs code that nobody allowed', async (t) => {
  const { run, ran } = project(t)
  for (const words of commands) {
    await run(words)
    t.notOk(ran(), words.join(' '))
  }
})

t.test('the refusal says what to do; descriptions go without the plugin, and completion silently', async (t) => {
  const { run } = project(t)
  const [problem] = records((await run(['validate', '--json'])).stdout)
  t.match(problem, {
    code: 'provider.plugin-not-allowed',
    fix: /agents plugins allow/,
    detail: /\.\/own\.mjs .*[0-9a-f]{64}/,
  })
  for (const words of [['explain'], ['schema'], ['providers']]) {
    const { code, stderr } = await run(words)
    t.equal(code, 0)
    t.match(stderr, /^Left out: \.\/own\.mjs/)
  }
  t.match(await run(['__complete', 'key']), { code: 0, stderr: '' })
})

t.test('what was allowed runs, until a file of it changes', async (t) => {
  const { folder, run, ran } = project(t)
  const allowed = await run(['plugins', 'allow', '--yes'])
  t.equal(allowed.code, 0, allowed.stderr)
  t.match(allowed.stderr, /own\.mjs {2}\d+ bytes[\s\S]*SHA-256 [0-9a-f]{64}/)
  t.notOk(ran(), 'looking at it runs nothing')
  t.equal((await run(['validate'])).code, 0)
  t.ok(ran())
  appendFileSync(join(folder, 'mark.mjs'), '// changed\n')
  t.match((await run(['validate'])).stdout, /has changed since it was allowed/)
  t.notOk(ran())
  t.equal((await run(['plugins', 'allow', '--yes'])).code, 0)
  t.equal((await run(['validate'])).code, 0)
})

t.test('consent is stored in the folder of the user, and holds for one project', async (t) => {
  const { user, run } = project(t)
  await run(['plugins', 'allow', '--yes'])
  t.equal(statSync(join(user, '.config/steward/plugins')).mode & 0o777, 0o700)
  const other = project(t, user)
  await other.run(['validate'])
  t.notOk(other.ran(), 'the same plugin in another folder')
  const elsewhere = scratchFolder(t)
  t.equal((await other.run(['plugins', 'allow', '--yes'], { XDG_CONFIG_HOME: elsewhere })).code, 0)
  t.ok(existsSync(join(elsewhere, 'steward/plugins')))
  t.match((await other.run(['plugins', 'allow', '--yes', '--json'], { HOME: '' })).stdout, /cli\.no-user-folder/)
})

t.test('names of files cannot write on the terminal', async (t) => {
  const { folder, run } = project(t)
  const name = 'a\u001b[2Jb.mjs'
  writeFileSync(join(folder, name), '')
  writeFileSync(join(folder, 'own.mjs'), `import './${name}'\n${source}`)
  const { stderr } = await run(['plugins', 'allow', '--yes'])
  t.match(stderr, /b\.mjs {2}0 bytes/)
  t.notMatch(stderr, '\u001b')
})

t.test('without a terminal it needs --yes', async (t) => {
  const { run, ran } = project(t)
  t.match((await run(['plugins', 'allow', '--json'])).stdout, /cli\.consent-missing/)
  t.match(
    (await run(['plugins', 'allow', '--yes', '--config', 'no.yaml', '--json'])).stdout,
    /declaration\.file-missing/,
  )
  t.notOk(ran())
})

t.test('where nobody can be asked, a variable names the hash; .env of the project does not', async (t) => {
  const { folder, run, ran } = project(t)
  const [{ sha256 = '' } = {}] = records(
    (await run(['plugins', 'allow', '--yes', '--json'], { HOME: scratchFolder(t) })).stdout,
  )
  for (const [value, runs] of [
    [String(sha256), true],
    [`${'0'.repeat(64)}, ${String(sha256)}`, true],
    ['all', true],
    ['0'.repeat(64), false],
    ['', false],
    ['1', false],
  ] as const) {
    // A module runs once in a process, so the answer tells.
    t.equal((await run(['validate'], { STEWARD_ALLOW_PLUGINS: value })).code, runs ? 0 : 1, value)
  }
  writeFileSync(join(folder, '.env'), 'STEWARD_ALLOW_PLUGINS=all\n')
  writeFileSync(
    join(folder, 'agents.yaml'),
    'version: "1"\nproviders: { own: { plugin: ./own.mjs } }\nagents: { a: { model: m, instructions: "${STEWARD_ALLOW_PLUGINS}" } }\n',
  )
  t.match((await run(['validate'])).stdout, /provider\.plugin-not-allowed/)
  ran()
})

t.test('consent in a folder of the project is none', async (t) => {
  const { folder, user, run, ran } = project(t)
  await run(['plugins', 'allow', '--yes'], { HOME: folder })
  mkdirSync(join(user, '.config'), { recursive: true })
  await run(['validate'])
  t.notOk(ran())
})
