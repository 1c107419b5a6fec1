// `agents init` and the first steps after it, from outside.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Check } from 'typebox/value'
import { parse } from 'yaml'
import { emulate } from './emulator.js'
import { agents, records, root, scratchFolder } from './program.js'

const providers = ['bailian', 'qoder', 'claude', 'ark'] as const

for (const provider of providers) {
  t.test(
    `the file that init writes for ${provider} is valid, applies to the emulator unchanged, and then plans empty`,
    async (t) => {
      const folder = scratchFolder(t)
      const { env } = await emulate(t)
      const run = (...words: readonly string[]) => agents(words, { folder, env })
      const init = await run('init', '--provider', provider, '--name', 'guide', '--yes')
      t.equal(init.code, 0)
      t.match(init.stdout, 'agents emulate -- agents plan')
      const validated = await agents(['validate'], { folder })
      t.equal(validated.code, 0)
      t.match(validated.stdout, /agents\.yaml is valid: 2 declarations, [12] notes?\./)
      t.equal((await run('apply', '--yes')).code, 0)
      t.equal((await run('plan', '--detailed-exitcode')).code, 0)
      t.match((await run('state', 'list')).stdout, `${provider}.agent.guide`)
    },
  )
}

t.test(
  'init writes agents.yaml, its schema, a placeholder .env readable by its owner only, and adds secrets and state to .gitignore',
  async (t) => {
    const folder = scratchFolder(t)
    await agents(['init', '--provider', 'qoder', '--yes'], { folder })
    t.same(readdirSync(folder).sort(), ['.env', '.gitignore', 'agents.schema.json', 'agents.yaml'])
    t.match(
      readFileSync(join(folder, 'agents.yaml'), 'utf8'),
      /^# yaml-language-server: \$schema=\.\/agents\.schema\.json\n/,
    )
    t.match(readFileSync(join(folder, '.env'), 'utf8'), /^# QODER_PAT=$/m, 'an empty value would count as set')
    t.equal(statSync(join(folder, '.env')).mode & 0o777, 0o600)
    t.equal(readFileSync(join(folder, '.gitignore'), 'utf8'), '.env\nagents.state*\n')
  },
)

t.test('init overwrites nothing: an agents.yaml is an error, .env stays, .gitignore is extended', async (t) => {
  const folder = scratchFolder(t)
  writeFileSync(join(folder, '.env'), 'QODER_PAT=mine\n')
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n.env')
  const { code, stdout } = await agents(['init', '--provider', 'p-b', '--yes', '--json'], { folder })
  t.equal(code, 0)
  t.same(
    records(stdout).flatMap(({ type, name, action }) => (type === 'file' ? [[name, action]] : [])),
    [
      ['agents.yaml', 'wrote'],
      ['agents.schema.json', 'wrote'],
      ['.env', 'kept'],
      ['.gitignore', 'extended'],
    ],
  )
  t.equal(readFileSync(join(folder, '.env'), 'utf8'), 'QODER_PAT=mine\n')
  t.equal(readFileSync(join(folder, '.gitignore'), 'utf8'), 'node_modules\n.env\nagents.state*\n')
  const before = readFileSync(join(folder, 'agents.yaml'), 'utf8')
  const again = await agents(['init', '--provider', 'claude', '--yes'], { folder })
  t.equal(again.code, 1)
  t.match(again.stderr, '[init.exists]')
  t.equal(readFileSync(join(folder, 'agents.yaml'), 'utf8'), before)
})

t.test(
  'init beside an agents.yaml written by hand adds its schema and keeps state and secrets out of git',
  async (t) => {
    const folder = scratchFolder(t)
    writeFileSync(join(folder, 'agents.yaml'), 'version: "1"\n')
    t.match(await agents(['init'], { folder }), {
      code: 0,
      stdout: /kept +agents\.yaml\nwrote +agents\.schema\.json\n/,
    })
    t.match(readFileSync(join(folder, '.gitignore'), 'utf8'), /^\.env\n(?:.*\n)*agents\.state\*/m)
    t.equal(readFileSync(join(folder, 'agents.yaml'), 'utf8'), 'version: "1"\n')
    t.match(await agents(['init'], { folder }), { code: 1, stderr: /init\.exists/ })
  },
)

t.test('init keeps the permissions of an existing .env, and warns if others can read it', async (t) => {
  for (const [mode, codes] of [
    [0o644, ['init.env-readable']],
    [0o640, ['init.env-readable']],
    [0o600, []],
    [0o400, []],
  ] as const) {
    const folder = scratchFolder(t)
    const file = join(folder, '.env')
    writeFileSync(file, 'QODER_PAT=mine\n')
    chmodSync(file, mode)
    const { code, stdout } = await agents(['init', '--provider', 'qoder', '--yes', '--json'], { folder })
    t.equal(code, 0)
    t.same(
      records(stdout).flatMap((record) => (record['type'] === 'diagnostic' ? [record['code']] : [])),
      codes,
      mode.toString(8),
    )
    t.equal(statSync(file).mode & 0o777, mode)
  }
})

t.test('init without a terminal needs a provider; wrong ones and wrong names are usage mistakes', async (t) => {
  const folder = scratchFolder(t)
  for (const [words, code] of [
    ['init', 'init.provider-missing'],
    ['init --yes', 'init.provider-missing'],
    ['init --provider qodr --yes', 'init.unknown-provider'],
    ['init --provider qoder --name 9lives --yes', 'init.bad-name'],
  ] as const) {
    const result = await agents(words.split(' '), { folder })
    t.equal(result.code, 64, words)
    t.match(result.stderr, `[${code}]`)
  }
  t.same(readdirSync(folder), [])
})

t.test('a name that YAML would read as something else is quoted', async (t) => {
  const folder = scratchFolder(t)
  t.equal((await agents(['init', '--provider', 'qoder', '--name', 'true', '--yes'], { folder })).code, 0)
  t.same(Object.keys(parse(readFileSync(join(folder, 'agents.yaml'), 'utf8')).agents), ['true'])
  t.equal((await agents(['validate'], { folder })).code, 0)
})

t.test('--config writes all files beside the named file', async (t) => {
  const folder = scratchFolder(t)
  mkdirSync(join(folder, 'elsewhere'))
  const { env } = await emulate(t)
  const run = (...words: readonly string[]) => agents([...words, '--config', 'team/a.yaml'], { folder, env })
  t.equal((await run('init', '--provider', 'qoder', '--yes')).code, 0)
  t.equal((await run('apply', '--yes')).code, 0)
  t.ok(existsSync(join(folder, 'team/a.state.json')))
  t.notOk(existsSync(join(folder, 'agents.state.json')))
})

t.test('the schema that editors get accepts the examples and refuses a misspelt key', async (t) => {
  const folder = scratchFolder(t)
  const { code, stdout } = await agents(['schema'], { folder })
  t.equal(code, 0)
  const schema = JSON.parse(stdout)
  t.notMatch(stdout, /"x-[\w-]+":/, 'internal annotations are not in the schema')
  const example = parse(readFileSync(join(root, 'examples/four-providers/agents.yaml'), 'utf8'), { merge: true })
  t.ok(Check(schema, example))
  t.notOk(Check(schema, { ...example, agnets: {} }))
  const { reviewer } = example.agents
  t.notOk(Check(schema, { ...example, agents: { reviewer: { ...reviewer, instrucions: 'x' } } }))
  t.ok(Check(schema, { ...example, environments: { a: { config: { type: '${KIND}' } } } }), 'a variable is accepted')
})
