// `agents sync`: writes objects of providers to agents.yaml, and to state.
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import t from 'tap'
import { parse } from 'yaml'
import { acme, furnish } from './acme.js'
import { records } from './scratch.js'

t.test('--check reports and writes nothing: exit code 2 until the file is in sync', async (t) => {
  const { folder, file, providers, write, run, ask } = await acme(t)
  write(providers)
  t.equal((await run('sync', '--check')).code, 0, 'an empty account is in sync')
  await furnish(ask)
  const checked = await run('sync', '--check')
  t.equal(checked.code, 2)
  t.match(checked.stdout, '+ agent reviewer')
  t.match(checked.stdout, 'agents.yaml is not in sync: 3 declarations to write.')
  t.equal(readFileSync(file, 'utf8'), providers)
  t.same(readdirSync(folder), ['agents.yaml'])
  t.equal((await run('sync')).code, 0)
  t.equal((await run('sync', '--check')).code, 0)
  t.equal((await run('sync', '--check', '--import')).code, 64)
})

t.test(
  'existing objects are declared, secrets as variables that are listed, and the printed import commands bind them',
  async (t) => {
    const { file, providers, env, write, run, ask } = await acme(t)
    write(providers)
    chmodSync(file, 0o600)
    const ids = await furnish(ask)
    const { code, stdout, stderr } = await run('sync')
    t.equal(code, 0, stderr)
    t.match(stdout, /Add their values to \.env:\n {2}KEYS_ISSUES_TOKEN=/)
    const text = readFileSync(file, 'utf8')
    t.ok(text.startsWith(providers), 'existing text is kept')
    t.equal(statSync(file).mode & 0o777, 0o600)
    t.strictSame(parse(text).agents, {
      reviewer: {
        description: 'Costs $${PRICE}',
        model: 'acme-large',
        instructions: 'Review.\nTwice.\n',
        environment: 'work-shop',
        vault: 'keys',
        tools: { builtin: ['read'] },
      },
    })
    t.match(parse(text).vaults, { keys: { credentials: [{ name: 'issues', access_token: '${KEYS_ISSUES_TOKEN}' }] } })
    t.match(parse(text).environments, {
      'work-shop': { name: 'Work shop', config: { packages: { npm: ['prettier'] } } },
    })

    env['KEYS_ISSUES_TOKEN'] = 'value-of-the-token'
    const commands = [...stdout.matchAll(/^ {2}agents (import \S+ \S+)$/gm)].map(([, words]) => words ?? '')
    t.same(commands.length, 3)
    t.ok(commands.includes(`import acme.agent.reviewer ${ids.agent}`))
    for (const words of commands) t.equal((await run(...words.split(' '))).code, 0, words)
    t.match((await run('plan')).stdout, 'No changes. 3 resources as declared.')
  },
)

t.test('--import also binds the objects, and then the plan is empty', async (t) => {
  const { providers, env, write, run, ask } = await acme(t)
  write(providers)
  const ids = await furnish(ask)
  env['KEYS_ISSUES_TOKEN'] = 'value-of-the-token'
  const { code, stdout, stderr } = await run('sync', '--import', '--json')
  t.equal(code, 0, stderr)
  const bound = records(stdout).filter(({ type }) => type === 'imported')
  t.same(bound.map(({ id }) => id).sort(), Object.values(ids).sort())
  t.match((await run('plan')).stdout, 'No changes. 3 resources as declared.')
  t.match(await ask('GET', `/agents/${ids.agent}`), { metadata: { 'agents.resource': 'reviewer' } })
})

t.test('remote changes are written field by field, and all other bytes are unchanged', async (t) => {
  const { file, providers, env, write, run, ask } = await acme(t)
  env['SECRET'] = 's3cret-of-the-text'
  const text = `${providers}
agents:   # ours
    reviewer:
        description: "Reviews"   # short
        model: acme-large
        instructions: 'Use \${SECRET}.'

# The end.
`
  write(text)
  t.equal((await run('apply', '--yes')).code, 0)
  const shown = await run('state', 'show', 'agent.reviewer', '--json')
  const id = String(records(shown.stdout)[0]?.['id'])
  t.equal((await run('sync')).code, 0)
  t.equal(readFileSync(file, 'utf8'), text, 'in sync, so unchanged')
  await ask('PATCH', `/agents/${id}`, { description: 'Reviews it all', if_version: 1 })
  t.equal((await run('sync', '--check')).code, 2)
  const { stdout } = await run('sync')
  t.match(stdout, '~ agent reviewer  description')
  t.equal(readFileSync(file, 'utf8'), text.replace('"Reviews"', 'Reviews it all'))
  t.match((await run('plan')).stdout, 'No changes.')

  await ask('PATCH', `/agents/${id}`, { system: `Use ${env['SECRET']} twice.`, if_version: 2 })
  t.equal((await run('sync')).code, 0)
  t.notMatch(readFileSync(file, 'utf8'), env['SECRET'], 'the value of a variable never gets into the file')
  t.match(readFileSync(file, 'utf8'), 'Use ${SECRET} twice.')
  t.match((await run('plan')).stdout, 'No changes.')
})

t.test('all or nothing: an object that cannot be read, or cannot be declared, leaves the file unchanged', async (t) => {
  const { folder, file, providers, write, run, ask } = await acme(t)
  write(providers)
  const { agent } = await furnish(ask)
  await ask('PATCH', `/agents/${agent}`, { system: '', if_version: 1 })
  const invalid = await run('sync', '--import')
  t.equal(invalid.code, 1)
  t.match(invalid.stderr, '[sync.result-invalid]')
  t.equal(readFileSync(file, 'utf8'), providers)
  const elsewhere = providers.replace('/acme/v1', '/nowhere/v1')
  write(elsewhere)
  const unreadable = await run('sync')
  t.equal(unreadable.code, 1)
  t.match(unreadable.stderr, /acme: error: .*\[provider\.gone\]/)
  t.notMatch(unreadable.stderr, 'internal.bug')
  t.equal(readFileSync(file, 'utf8'), elsewhere)
  t.same(readdirSync(folder), ['agents.yaml'])
})
